/** The plate of a vehicle: one of the last ones, or from a list that is filtered by the text typed. */
import { useDeferredValue, useMemo } from "react";
import { Combobox } from "../shared/Combobox";
import { offersFor, plateKey, type Vehicle, vehicleWith, withFirst } from "./vehicles";

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
  /** Called once a plate was chosen. */
  onDone: () => void;
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
  onDone,
}: Props) {
  const typed = useDeferredValue(value);
  const offers = useMemo(() => {
    const all = vehicles ?? [];
    const others = last.flatMap((plate) => vehicleWith(plate, all) ?? []);
    return offersFor(typed, withFirst(last, all), others);
  }, [typed, vehicles, last]);
  const kind = vehicleWith(value, vehicles)?.kind;
  const kindId = `${id}-kind`;
  const lastOthers = last.filter(
    (plate) => plateKey(plate) !== plateKey(value) && (!vehicles || vehicleWith(plate, vehicles)),
  );
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
        onDone={onDone}
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
      {lastOthers.length > 0 && (
        <fieldset className="picks" aria-label="Your last vehicles">
          {lastOthers.map((plate) => (
            <button
              key={plate}
              type="button"
              className="btn"
              onClick={() => {
                onChange(plate);
                onDone();
              }}
            >
              {plate}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
}
