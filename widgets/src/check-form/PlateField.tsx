/** The plate of a vehicle, chosen from a list that is filtered by the text typed, or among the last ones. */
import { useDeferredValue, useMemo } from "react";
import { Combobox } from "../shared/Combobox";
import { plateKey } from "../shared/names";
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
    </>
  );
}

interface LastPlatesProps {
  /** The plate that is chosen, which is not offered. */
  value: string;
  vehicles: Vehicle[] | null;
  last: string[];
  onChoose: (plate: string) => void;
}

/** The last vehicles, each one press away. */
export function LastPlates({ value, vehicles, last, onChoose }: LastPlatesProps) {
  const others = last.filter(
    (plate) => plateKey(plate) !== plateKey(value) && (!vehicles || vehicleWith(plate, vehicles)),
  );
  if (others.length === 0) return null;
  return (
    <fieldset className="picks full" aria-label="Your last vehicles">
      {others.map((plate) => (
        <button key={plate} type="button" className="btn" onClick={() => onChoose(plate)}>
          {plate}
        </button>
      ))}
    </fieldset>
  );
}
