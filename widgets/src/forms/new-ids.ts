/** Fills in the id of what a form adds, before it is sent. */
import { newUuid } from "../shared/once";

/** Fills the empty fields for a new id; what was typed stays. */
export function fillNewIds(root: ParentNode): void {
  root.querySelectorAll<HTMLInputElement>("input[data-new-id]").forEach((field) => {
    field.value ||= newUuid();
  });
}
