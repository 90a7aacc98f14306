/** The link in a page's header to what isn't sent yet. */
import { notSentYet } from "../shared/messages";
import type { Unsent } from "./hint";

/** Shows how much the signed-in person has here that isn't sent; hides the link for nothing. */
export function showLink(unsent: readonly Unsent[] | null): void {
  const link = document.getElementById("unsent");
  if (!link) return;
  const { user } = document.body.dataset;
  const own = unsent?.find((each) => String(each.user) === user);
  link.hidden = !own;
  link.textContent = own ? notSentYet(own.count) : "";
}
