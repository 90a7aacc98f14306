/** The plate of a vehicle, chosen from a list that is filtered by the text typed. */
import { useDeferredValue, useMemo } from "react";
import { Combobox } from "../shared/Combobox";
import { offersFor, type Vehicle, vehicleWith, withFirst } from "./vehicles";

interface Props {
  id: string;
  value: string;
  vehicles: Vehicle[] | null;
  /** The registrations that are offered first, the last one before the others. */
  last: string[];
  hasFailed: boolean;
  describedBy: string | undefined;
  isInvalid: boolean;
  isRequired: boolean;
  onChange: (plate: string) => void;
}

export function PlateField({
  id,
  value,
  vehicles,
  last,
  hasFailed,
  describedBy,
  isInvalid,
  isRequired,
  onChange,
}: Props) {
  const typed = useDeferredValue(value);
  const offers = useMemo(() => {
    const all = vehicles ?? [];
    const others = last.flatMap((plate) => vehicleWith(plate, all) ?? []);
    return offersFor(typed, withFirst(last, all), others);
  }, [typed, vehicles, last]);
  const kind = vehicleWith(value, vehicles)?.kind;
  const kindId = `${id}-kind`;
  return (
    <>
      {kind && (
        <p className="note" id={kindId}>
          {kind}
        </p>
      )}
      <Combobox
        id={id}
        listLabel="Vehicles"
        value={value}
        offers={offers}
        textOf={({ reg }) => reg}
        describedBy={[describedBy, kind && kindId].filter(Boolean).join(" ") || undefined}
        isInvalid={isInvalid}
        isRequired={isRequired}
        placeholder={vehicles || hasFailed ? "Select a vehicle" : "Loading plates…"}
        onChange={onChange}
        onFocus={(event) => event.target.select()}
        onDone={() => undefined}
      >
        {(vehicle) => (
          <span>
            {vehicle.reg}
            {vehicle.kind && (
              <>
                <br />
                <span className="note">{vehicle.kind}</span>
              </>
            )}
          </span>
        )}
      </Combobox>
    </>
  );
}
