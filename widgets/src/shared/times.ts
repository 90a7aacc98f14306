/** Formats times, and returns the date in London. */

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "Europe/London",
});
const DAY = { day: "numeric", month: "short", timeZone: "Europe/London" } as const;
const day = new Intl.DateTimeFormat("en-GB", DAY);
const fullDay = new Intl.DateTimeFormat("en-GB", { ...DAY, year: "numeric" });

// Canadian English writes dates as 2026-11-21.
const isoDay = new Intl.DateTimeFormat("en-CA", {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  timeZone: "Europe/London",
});

/** Returns the date in London as the server writes it: 2026-11-21. */
export function londonDay(now: Date = new Date()): string {
  return isoDay.format(now);
}

/** Returns the date in London by this browser's clock, which is some ms behind the server's. */
export function todayBy(clockOffset: number): string {
  return londonDay(new Date(Date.now() + clockOffset));
}

/** Formats a time as '14:02', or '14:02 on 20 Nov' when it is not of today. */
export function since(moment: Date, now: Date = new Date()): string {
  const time = clock.format(moment);
  const [its, today] = [londonDay(moment), londonDay(now)];
  return its === today ? time : `${time} on ${shortDay(its, today)}`;
}

/** Formats a time for a sentence, as '9:40'. */
export const shortTime = (moment: Date): string => clock.format(moment).replace(/^0/, "");

/** Formats a day such as 2026-11-03 as '3 Nov', with its year when that isn't today's. */
export function shortDay(iso: string, today: string): string {
  const noon = new Date(`${iso}T12:00:00Z`);
  return (iso.slice(0, 4) === today.slice(0, 4) ? day : fullDay).format(noon);
}
