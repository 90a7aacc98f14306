/** The vehicles that were read before, with their briefings, for a check without a connection. */
import { loadReference } from "../offline/references";
import { entriesOf } from "../outbox";
import type { CheckContent } from "../outbox/check";
import { isWaiting } from "../outbox/entry";
import { plateKey } from "../shared/names";
import type { Schemas } from "../shared/openapi";
import type { Booking, Briefing, Briefings } from "./briefings";
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

/** Takes the step of a booking that a check which waits to be sent takes. */
function takeStep({ reg, booking }: Body, briefings: Briefings): void {
  if (!booking) return;
  for (const [key, briefing] of Object.entries(briefings)) {
    const taken = briefing.bookings?.find(({ number }) => number === booking.number);
    if (!taken) continue;
    const others = briefing.bookings.filter((each) => each !== taken);
    briefings[key] = { ...briefing, bookings: others };
    if (booking.step === "back") continue;
    // One of a class may be handed over with another vehicle.
    const its = briefings[plateKey(reg)] ?? NOTHING;
    const bookings: Booking[] = [{ ...taken, step: "back" }, ...(its.bookings ?? [])];
    briefings[plateKey(reg)] = { ...its, bookings };
  }
}

/** Returns the briefings, which `shell` has or which were read before, with what waits to be sent. */
export async function keptBriefings(whose: Whose, shell?: Briefings): Promise<Briefings | null> {
  const briefings = shell ?? (await load(whose))?.value.briefings;
  if (!briefings) return null;
  const found = { ...briefings };
  for (const entry of (await entriesOf(whose.user)).filter(isWaiting)) {
    if (entry.kind !== "check") continue;
    const { content, request } = entry;
    const { stop } = content as Partial<CheckContent>;
    const body = request.json as Body;
    // A vehicle that mustn't be driven isn't handed over.
    if (!stop || body.booking?.step === "back") takeStep(body, found);
    if (!stop) continue;
    const key = plateKey(body.reg);
    const briefing = found[key] ?? NOTHING;
    found[key] = { ...briefing, offRoad: briefing.offRoad || STOPPED };
  }
  return found;
}
