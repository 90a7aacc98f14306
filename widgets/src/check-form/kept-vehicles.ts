/** The vehicles that were read before, for a check without a connection. */
import { loadReference } from "../offline/references";
import type { Schemas } from "../shared/openapi";
import type { Props } from "./props";

/** Returns the vehicles; null if they weren't read. */
export async function keptVehicles({
  user,
  division,
}: Pick<Props, "user" | "division">): Promise<Schemas["VehicleReply"][] | null> {
  const reference = await loadReference(user, `check-form:${division}`);
  return reference?.value.vehicles ?? null;
}
