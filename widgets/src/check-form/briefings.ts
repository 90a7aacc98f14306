/** What a driver should know about the vehicles before they check them. */
import { useCallback } from "react";
import { request } from "../shared/api";
import { formatNumber } from "../shared/money";
import { plateKey } from "../shared/names";
import type { Schemas } from "../shared/openapi";
import { londonDay, shortDay, shortTime } from "../shared/times";
import { type Load, liveOrKept, useLoad } from "../shared/useLoad";
import { loadSending } from "./lazy";
import type { Props } from "./props";

export type Briefing = Schemas["BriefingReply"];
export type Briefings = Record<string, Briefing>;

const MAX_MILES_A_DAY = 1000;

/** Returns the briefing of a vehicle; null without one. */
export function briefingOf(plate: string, briefings: Briefings | null): Briefing | null {
  return briefings?.[plateKey(plate)] ?? null;
}

const daysBetween = (first: string, last: string): number =>
  (Date.parse(last) - Date.parse(first)) / 86_400_000;

/** Returns the last reading, such as 'Last: 48,148 yesterday.'; '' without one. */
export function describeReading({ miles, day }: Briefing, today: string): string {
  if (miles === null || !day) return "";
  const days = daysBetween(day, today);
  const when = days === 0 ? "today" : days === 1 ? "yesterday" : `on ${shortDay(day, today)}`;
  return `Last: ${formatNumber(miles)} ${when}.`;
}

/** Returns a question about more miles than a vehicle can have run from its last reading to a day. */
export function questionMiles(
  miles: number,
  briefing: Briefing,
  checkDay: string,
  today: string,
): string {
  const { miles: last, day } = briefing;
  if (last === null || !day) return "";
  const most = MAX_MILES_A_DAY * Math.max(daysBetween(day, checkDay), 1);
  if (miles - last <= most) return "";
  return `Is ${formatNumber(miles)} right? It was ${formatNumber(last)} on ${shortDay(day, today)}.`;
}

export type Booking = Briefing["bookings"][number];

/** Returns the bookings whose step a check of now can take. */
export function currentBookings({ bookings }: Briefing, now: number, today: string): Booking[] {
  // A briefing that an earlier release kept has none.
  return (bookings ?? []).filter(
    ({ step, from, to }) =>
      step === "back" || (londonDay(new Date(from)) <= today && Date.parse(to) > now),
  );
}

/** Returns the time of a booking, such as '9:00 to 12:00', with days that aren't today. */
export function describeTime({ from, to }: Booking, today: string): string {
  const [start, end] = [from, to].map((text) => {
    const moment = new Date(text);
    const day = londonDay(moment);
    return day === today ? shortTime(moment) : `${shortDay(day, today)} ${shortTime(moment)}`;
  });
  return `${start} to ${end}`;
}

/** Returns a briefing without what began after a day. */
export function upTo(day: string, briefing: Briefing | null): Briefing | null {
  if (!briefing) return null;
  // A briefing that an earlier release kept doesn't have that day.
  const isLater = (briefing.offRoadSince ?? "") > day;
  return {
    ...briefing,
    offRoad: isLater ? "" : briefing.offRoad,
    defects: briefing.defects.filter(({ since }) => since <= day),
  };
}

/** Loads the briefings; without a connection those that were read before. */
export function useBriefings({
  user,
  division,
  reference,
}: Pick<Props, "user" | "division" | "reference">): Load<Briefings> {
  const fetchBriefings = useCallback(async () => {
    const kept = async () =>
      (await loadSending()).keptBriefings({ user, division }, reference?.value.briefings);
    if (reference) return (await kept()) ?? {};
    const live = request<Schemas["CheckBriefings"]>("GET", "/fleetChecks/briefings");
    return liveOrKept(
      live.then(({ body }) => body.briefings),
      kept,
    );
  }, [user, division, reference]);
  return useLoad(fetchBriefings, "");
}
