/** Times of day as people read them. */

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Europe/London" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "Europe/London" });

/** Writes '14:02', with the day where that isn't today: '14:02 on 20 Nov'. */
export function since(moment: Date, now: Date = new Date()): string {
  const time = clock.format(moment);
  return day.format(moment) === day.format(now) ? time : `${time} on ${day.format(moment)}`;
}
