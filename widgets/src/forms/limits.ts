/** The problems of what is typed, by the limits and messages that the server wrote on the inputs. */
import { parsePence, parseWhole } from "../shared/money";

const NEGATIVE = /^[-−]\s*£?\s*[\d.,]+$/;

function problemOfNumber(text: string, { min, low = "", max, high = "" }: DOMStringMap): string {
  if (NEGATIVE.test(text)) return low;
  const number = parseWhole(text);
  if (number === null) return `"${text}" is not a whole number`;
  return number < Number(min) ? low : number > Number(max) ? high : "";
}

function problemOfPrice(text: string, { low = "", pence, high = "" }: DOMStringMap): string {
  if (NEGATIVE.test(text)) return low;
  const price = parsePence(text);
  if (price === null) return `"${text}" is not a price in pounds`;
  return price > Number(pence) ? high : "";
}

function problemOfDay(input: HTMLInputElement): string {
  const { low = "", high = "", notBefore, before = "" } = input.dataset;
  const { value: day, min, max, form, validity } = input;
  if (validity.badInput) return "Enter a date such as 9 December 2011.";
  if (!day) return "";
  if (day < min) return low;
  if (max && day > max) return high;
  const earlier = form?.querySelector<HTMLInputElement>(`[name="${notBefore}"]`)?.value;
  return earlier && day < earlier ? before : "";
}

/** Returns what is wrong with an input's value, '' if nothing, or if there is none. */
export function problemOf(input: HTMLInputElement): string {
  const { limit, min, pence, high = "" } = input.dataset;
  const text = input.value.trim();
  if (input.type === "date") return problemOfDay(input);
  if (!text) return "";
  if (min) return problemOfNumber(text, input.dataset);
  if (pence) return problemOfPrice(text, input.dataset);
  return limit && text.length > Number(limit) ? high : "";
}

/** Returns what is wrong in a part of a form, in the order of its inputs. */
export function problemsIn(part: ParentNode): string[] {
  return [...part.querySelectorAll("input")].map(problemOf).filter(Boolean);
}
