/** Fills in the id of a new record, before its form is sent. */
import { newUuid } from "../shared/once";

/** Fills the empty fields for a new id; an id that was typed is not replaced. */
export function fillNewIds(root: ParentNode): void {
  root.querySelectorAll<HTMLInputElement>("input[data-new-id]").forEach((field) => {
    field.value ||= newUuid();
  });
}
