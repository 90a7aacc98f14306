/** The organisation identifier, shared by every script of the application (specification §1). */
const KEY = "org";

/** Returns the organisation, '' by default; '' too where the browser keeps nothing. */
export function organisation(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** Puts the default in place, so that other scripts find the key. */
export function keepOrganisation(): void {
  try {
    localStorage.setItem(KEY, organisation());
  } catch {
    // A browser that refuses storage works with the default.
  }
}
