/** Formats times, and returns the date in London. */

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "Europe/London",
});
const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "Europe/London",
});

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
  return day.format(moment) === day.format(now) ? time : `${time} on ${day.format(moment)}`;
}
