/** The vehicles that can be chosen. */
import { useCallback, useEffect, useState } from "react";
import { call, sayFailure } from "../shared/api";
import { matching, nameKey } from "../shared/names";
import type { Schemas } from "../shared/openapi";
import type { Props } from "./props";

const MOST = 200;

export interface Vehicle {
  key: string;
  reg: string;
  /** Make and model, as far as they are known. */
  kind: string;
  /** The last reading. */
  odometer: number | null;
  /** What a search looks at. */
  found: string;
}

/** Returns what two registrations share when they are the same: spaces and case don't count. */
export function plateKey(plate: string): string {
  return nameKey(plate).replaceAll(" ", "");
}

function vehicleOf({ reg, make, model, odometer }: Schemas["VehicleReply"]): Vehicle {
  const kind = `${make} ${model}`.trim();
  const key = plateKey(reg);
  return { key, reg, kind, odometer, found: nameKey(`${reg} ${key} ${kind}`) };
}

/** Returns the vehicle with a plate. */
export function vehicleWith(plate: string, vehicles: Vehicle[] | null): Vehicle | undefined {
  const wanted = plateKey(plate);
  return vehicles?.find(({ key }) => key === wanted);
}

/** Returns the vehicles to choose from: all, or those that hold every word typed. */
export function offersFor(typed: string, vehicles: Vehicle[]): Vehicle[] {
  const matches = matching(typed);
  const found = vehicles.filter((each) => matches(each.found));
  const isWhole = found.length === 1 && found[0]?.key === plateKey(typed);
  return isWhole ? [] : found.slice(0, MOST);
}

/** Loads the vehicles; null until they are there. */
export function useVehicles(division: Props["division"]) {
  const [vehicles, setVehicles] = useState<Vehicle[] | null>(null);
  const [failure, setFailure] = useState("");

  const load = useCallback(async () => {
    setFailure("");
    try {
      setVehicles((await call("GET", `/api/${division}/vehicles`)).map(vehicleOf));
    } catch (error) {
      setFailure(sayFailure(error, "Failed to load vehicles", false));
    }
  }, [division]);
  useEffect(() => {
    void load();
  }, [load]);

  /** Reads them anew where they are known; without an answer they stay as they were. */
  const refresh = useCallback(() => {
    call("GET", `/api/${division}/vehicles`).then(
      (told) => setVehicles(told.map(vehicleOf)),
      () => undefined,
    );
  }, [division]);

  return { vehicles, failure, load, refresh };
}
