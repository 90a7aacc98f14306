/** Runs on every page: what makes plain forms nicer. Everything works without it. */
import { offerToShow, sendOnce, waitForBoth } from "./forms/sign-in";
import { watchStockForms } from "./forms/stock";
import { keepOrganisation } from "./shared/org";

keepOrganisation();
document.querySelectorAll<HTMLFormElement>("form[data-once]").forEach(sendOnce);
document.querySelectorAll<HTMLFormElement>("form[data-fill-both]").forEach(waitForBoth);
document.querySelectorAll<HTMLButtonElement>("button[data-show]").forEach(offerToShow);
document.querySelectorAll<HTMLButtonElement>("button[data-print]").forEach((button) => {
  button.hidden = false;
  button.addEventListener("click", () => print());
});
watchStockForms();
// Most pages have neither, and the sign-in has few bytes to spare.
if (document.querySelector("[data-widget]"))
  void import("./shared/mount").then((mount) => mount.mountWidgets(document));
if (document.querySelector("[data-new-id]"))
  void import("./forms/new-ids").then((ids) => ids.fillNewIds(document));

const problems = document.querySelector<HTMLElement>("[data-problems]");
problems?.focus();

const aimed = document.getElementById(location.hash.slice(1));
if (aimed instanceof HTMLDetailsElement) aimed.open = true;

const leaving = document.querySelector<HTMLElement>("[data-go-to]");
if (leaving)
  setTimeout(() => location.assign(leaving.dataset.goTo ?? "/"), Number(leaving.dataset.after));
