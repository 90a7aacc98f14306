/** One field of the form, with the control of its type. */
import type { ChangeEvent } from "react";
import { EARLIEST_DAY } from "../shared/days";
import { descriptionIds, Field as FieldFrame } from "../shared/Field";
import { PlateField } from "./PlateField";
import type { Field } from "./props";
import type { Vehicle } from "./vehicles";

interface Props {
  id: string;
  field: Field;
  value: string;
  /** The last day that a date can be. */
  today: string;
  error: string | undefined;
  caution: string | undefined;
  isWide: boolean;
  /** Earlier answers to this field. */
  suggestions: string[];
  vehicles: Vehicle[] | null;
  lastVehicles: string[];
  hasFailed: boolean;
  onChange: (text: string) => void;
  /** Called once a plate was chosen. */
  onDone: () => void;
}

type ControlElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function Control(props: Props) {
  const { id, field, value, error, caution, suggestions, vehicles, hasFailed, onChange } = props;
  const common = {
    id,
    value,
    required: field.required,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": descriptionIds(id, error, caution),
    onChange: (event: ChangeEvent<ControlElement>) => onChange(event.target.value),
  };
  switch (field.type) {
    case "plate":
      return (
        <PlateField
          id={id}
          value={value}
          vehicles={vehicles}
          last={props.lastVehicles}
          hasFailed={hasFailed}
          describedBy={common["aria-describedby"]}
          isInvalid={error !== undefined}
          isRequired={field.required}
          onChange={onChange}
          onDone={props.onDone}
        />
      );
    case "date":
      return <input {...common} type="date" min={EARLIEST_DAY} max={props.today} />;
    case "number":
      return <input {...common} inputMode="decimal" autoComplete="off" />;
    case "choice":
      return (
        <select {...common}>
          <option value="">Choose</option>
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      );
    case "suggested":
      return (
        <>
          <input {...common} list={`${id}-suggestions`} autoComplete="off" />
          <datalist id={`${id}-suggestions`}>
            {suggestions.map((text) => (
              <option key={text} value={text} />
            ))}
          </datalist>
        </>
      );
    case "textarea":
      return <textarea {...common} rows={3} />;
    default:
      return <input {...common} autoComplete={field.name === "Name" ? "name" : "off"} />;
  }
}

export function FieldInput(props: Props) {
  const { id, field, error, caution, isWide } = props;
  return (
    <FieldFrame
      id={id}
      label={field.label}
      isRequired={field.required}
      isWide={isWide}
      error={error}
      caution={caution}
    >
      <Control {...props} />
    </FieldFrame>
  );
}
