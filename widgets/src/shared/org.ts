/** The organisation identifier in localStorage, which every script of the application may read. */
const KEY = "org";

/** Returns the organisation; '' by default, and where the browser stores nothing. */
export function organisation(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** Stores the default, so that other scripts find the key. */
export function storeOrganisation(): void {
  try {
    localStorage.setItem(KEY, organisation());
  } catch {
    // A browser that refuses storage works with the default.
  }
}
