/** The vehicles that were read before, with their briefings, for a check without a connection. */
import { loadReference } from "../offline/references";
import { entriesOf } from "../outbox";
import type { CheckContent } from "../outbox/check";
import { isWaiting } from "../outbox/entry";
import { plateKey } from "../shared/names";
import type { Schemas } from "../shared/openapi";
import type { Briefing, Briefings } from "./briefings";
import type { Body } from "./check";
import type { Props } from "./props";

type Whose = Pick<Props, "user" | "division">;

const load = ({ user, division }: Whose) => loadReference(user, `check-form:${division}`);

/** Returns the vehicles; null if they weren't read. */
export async function keptVehicles(whose: Whose): Promise<Schemas["VehicleReply"][] | null> {
  return (await load(whose))?.value.vehicles ?? null;
}

const NOTHING: Briefing = {
  miles: null,
  day: null,
  notices: [],
  offRoad: "",
  offRoadSince: null,
  defects: [],
  bookings: [],
};
const STOPPED = "Stopped by a check that is not sent yet";

/** Returns the briefings, which `shell` has or which were read before, with the stops that wait to be sent. */
export async function keptBriefings(whose: Whose, shell?: Briefings): Promise<Briefings | null> {
  const briefings = shell ?? (await load(whose))?.value.briefings;
  if (!briefings) return null;
  const found = { ...briefings };
  for (const { content, request } of (await entriesOf(whose.user)).filter(isWaiting)) {
    if (!(content as Partial<CheckContent>).stop) continue;
    const key = plateKey((request.json as Body).reg);
    const briefing = found[key] ?? NOTHING;
    found[key] = { ...briefing, offRoad: briefing.offRoad || STOPPED };
  }
  return found;
}
