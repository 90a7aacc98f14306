/** A number with its noun. */
import { formatNumber } from "./money";

/** Returns '1 line' or '1,234 lines'. */
export function plural(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
