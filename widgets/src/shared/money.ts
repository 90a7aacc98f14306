/** Parses and formats numbers and amounts of money, which are in pence. */

const grouped = new Intl.NumberFormat("en-GB");

/** Parses a whole number of 0 or more such as '1,234'; null for anything else. */
export function parseWhole(text: string): number | null {
  const plain = text.trim();
  return /^(\d{1,3}(,\d{3})+|\d+)$/.test(plain) ? Number(plain.replaceAll(",", "")) : null;
}

/** Parses pounds such as '2.10' into pence, rounded half up; '' is 0, null is not a price. */
export function parsePence(text: string): number | null {
  const plain = text.trim().replace(/^£\s*/, "");
  if (plain === "") return 0;
  if (!/^(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?$/.test(plain)) return null;
  const [pounds = "", fraction = ""] = plain.replaceAll(",", "").split(".");
  const digits = fraction.padEnd(3, "0");
  const pence = Number(pounds || "0") * 100 + Number(digits.slice(0, 2));
  return Number(digits[2]) >= 5 ? pence + 1 : pence;
}

/** Formats a whole number with en-GB grouping. */
export function formatNumber(value: number): string {
  return grouped.format(value);
}

/** Returns the pence of a price in pounds, as JSON gives it. */
export function penceOf(pounds: number): number {
  return Math.round(pounds * 100);
}

/** Formats pence as '£1,234.50'. */
export function formatPence(pence: number | bigint): string {
  const exact = BigInt(pence);
  return `£${grouped.format(exact / 100n)}.${String(exact % 100n).padStart(2, "0")}`;
}

/** Formats pence with their sign, as '+£4.20' or '−£11.80'. */
export function formatSignedPence(pence: bigint): string {
  if (pence === 0n) return formatPence(0);
  return pence > 0n ? `+${formatPence(pence)}` : `−${formatPence(-pence)}`;
}

/** Returns '1 line' or '1,234 lines'. */
export function plural(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
