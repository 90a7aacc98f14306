/** The vehicles that were read before, with their briefings, for a check without a connection. */
import { loadReference } from "../offline/references";
import type { Schemas } from "../shared/openapi";
import type { Briefings } from "./briefings";
import type { Props } from "./props";

type Whose = Pick<Props, "user" | "division">;

const load = ({ user, division }: Whose) => loadReference(user, `check-form:${division}`);

/** Returns the vehicles; null if they weren't read. */
export async function keptVehicles(whose: Whose): Promise<Schemas["VehicleReply"][] | null> {
  return (await load(whose))?.value.vehicles ?? null;
}

/** Returns the briefings; null if they weren't read. */
export async function keptBriefings(whose: Whose): Promise<Briefings | null> {
  return (await load(whose))?.value.briefings ?? null;
}
