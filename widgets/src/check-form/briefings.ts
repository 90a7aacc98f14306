/** What a driver should know about the vehicles before they check them. */
import { useCallback } from "react";
import { request } from "../shared/api";
import { plateKey } from "../shared/names";
import type { Schemas } from "../shared/openapi";
import { type Load, liveOrKept, useLoad } from "../shared/useLoad";
import { loadSending } from "./lazy";
import type { Props } from "./props";

export type Briefing = Schemas["BriefingReply"];
export type Briefings = Record<string, Briefing>;

/** Returns the briefing of a vehicle; null without one. */
export function briefingOf(plate: string, briefings: Briefings | null): Briefing | null {
  return briefings?.[plateKey(plate)] ?? null;
}

/** Loads the briefings once they are needed; without a connection those that were read before. */
export function useBriefings(
  { user, division, reference }: Pick<Props, "user" | "division" | "reference">,
  isNeeded: boolean,
): Load<Briefings> {
  const fetchBriefings = useCallback(async () => {
    if (!isNeeded) return {};
    if (reference) return reference.value.briefings ?? {};
    const kept = async () => (await loadSending()).keptBriefings({ user, division });
    const live = request<Schemas["CheckBriefings"]>("GET", "/fleetChecks/briefings");
    return liveOrKept(
      live.then(({ body }) => body.briefings),
      kept,
    );
  }, [user, division, reference, isNeeded]);
  return useLoad(fetchBriefings, "");
}
