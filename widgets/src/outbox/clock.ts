/** How far this browser's clock is off, by the last reply of the server. */
import { openDatabase } from "./database";

/** Returns by how many ms the server's clock is ahead; null where that isn't known of a user. */
export async function clockOffsetOf(user: number): Promise<number | null> {
  try {
    const [person] = await (await openDatabase()).getAll("device");
    return person?.user === user ? person.clockOffset : null;
  } catch {
    return null;
  }
}
