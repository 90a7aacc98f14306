/** Compares names of items, searches them, and names what a check does. */
import type { BookingStep } from "./saved-check";

/** Returns the key that equal names share; good enough for a preview, the server decides. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

/** Returns the key of a registration: equal ones differ only in spaces and case. */
export function plateKey(plate: string): string {
  return nameKey(plate).replaceAll(" ", "");
}

/** Returns a test for keys that contain every word typed, in any order and case. */
export function matching(typed: string): (key: string) => boolean {
  const words = nameKey(typed).split(" ");
  return (key) => words.every((word) => key.includes(word));
}

/** Returns the step of a booking as people read it, such as 'Handover of B-0031'. */
export const describeStep = ({ number, step }: BookingStep): string =>
  `${step === "out" ? "Handover" : "Return"} of ${number}`;
