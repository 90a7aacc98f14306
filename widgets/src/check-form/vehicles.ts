/** The vehicles that can be chosen. */
import { useCallback } from "react";
import { call } from "../shared/api";
import { matching, nameKey, plateKey } from "../shared/names";
import type { Schemas } from "../shared/openapi";
import { type Load, liveOrKept, useLoad } from "../shared/useLoad";
import { loadSending } from "./lazy";
import type { Props } from "./props";

type Whose = Pick<Props, "user" | "division" | "reference">;

const MAX_OFFERS = 200;

export interface Vehicle {
  key: string;
  reg: string;
  /** Make and model; '' without either. */
  kind: string;
  /** The last reading. */
  odometer: number | null;
  /** The text that a search looks in. */
  searchText: string;
}

function vehicleOf({ reg, make, model, odometer }: Schemas["VehicleReply"]): Vehicle {
  const kind = `${make} ${model}`.trim();
  const key = plateKey(reg);
  return { key, reg, kind, odometer, searchText: nameKey(`${reg} ${key} ${kind}`) };
}

/** Returns the vehicle with a registration. */
export function vehicleWith(plate: string, vehicles: Vehicle[] | null): Vehicle | undefined {
  const key = plateKey(plate);
  return vehicles?.find((vehicle) => vehicle.key === key);
}

/** Returns the vehicles in their order, but these registrations first. */
export function withFirst(first: string[], vehicles: Vehicle[]): Vehicle[] {
  const found = first.flatMap((plate) => vehicleWith(plate, vehicles) ?? []);
  return [...found, ...vehicles.filter((vehicle) => !found.includes(vehicle))];
}

/** Returns the vehicles to offer: those that match every word typed, or when it is settled `others`. */
export function offersFor(typed: string, vehicles: Vehicle[], others: Vehicle[]): Vehicle[] {
  const matches = matching(typed);
  const found = vehicles.filter(({ searchText }) => matches(searchText));
  const [only] = found;
  const isExact = found.length === 1 && only?.key === plateKey(typed);
  return isExact ? others.filter((other) => other !== only) : found.slice(0, MAX_OFFERS);
}

/** Loads the vehicles; without a connection those that were read before. */
export function useVehicles({ user, division, reference }: Whose): Load<Vehicle[]> {
  const fetchVehicles = useCallback(async () => {
    if (reference) return reference.value.vehicles.map(vehicleOf);
    const kept = async () => (await loadSending()).keptVehicles({ user, division });
    const vehicles = await liveOrKept(call("GET", `/api/${division}/vehicles`), kept);
    return vehicles.map(vehicleOf);
  }, [user, division, reference]);
  return useLoad(fetchVehicles, "Failed to load vehicles");
}
