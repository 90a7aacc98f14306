/** Whose entries are made here. */
import { person } from "./store";

/** Returns the name of the user who is signed in, for an entry; '' where it isn't known. */
export async function usernameOf(user: number): Promise<string> {
  const current = await person().catch(() => null);
  if (current?.user === user) return current.username;
  return document.querySelector(".who")?.textContent ?? "";
}
