/** What the last odometer reading of a vehicle says of the next one. */
import { formatNumber } from "../shared/money";
import { shortDay } from "../shared/times";
import type { Briefing } from "./briefings";

const MAX_MILES_A_DAY = 1000;

const daysBetween = (first: string, last: string): number =>
  (Date.parse(last) - Date.parse(first)) / 86_400_000;

/** Returns the last reading, such as 'Last: 48,148 yesterday.'; '' without one. */
export function describeReading({ miles, day }: Briefing, today: string): string {
  if (miles === null || !day) return "";
  const days = daysBetween(day, today);
  const when = days === 0 ? "today" : days === 1 ? "yesterday" : `on ${shortDay(day, today)}`;
  return `Last: ${formatNumber(miles)} ${when}.`;
}

/** Returns a question about more miles than a vehicle can have run since its last reading. */
export function questionMiles(miles: number, briefing: Briefing, today: string): string {
  const { miles: last, day } = briefing;
  if (last === null || !day) return "";
  const most = MAX_MILES_A_DAY * Math.max(daysBetween(day, today), 1);
  if (miles - last <= most) return "";
  return `Is ${formatNumber(miles)} right? It was ${formatNumber(last)} on ${shortDay(day, today)}.`;
}
