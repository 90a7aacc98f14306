/** One field, by its type. */
import type { ChangeEvent, ReactNode } from "react";
import { londonDay } from "../shared/times";
import { PlateField } from "./PlateField";
import type { Field } from "./props";
import type { Vehicle } from "./vehicles";

interface FrameProps {
  id: string;
  label: string;
  isRequired?: boolean;
  isWhole?: boolean;
  error: string | undefined;
  /** What is said beside the control without stopping anything. */
  caution?: string | undefined;
  children: ReactNode;
}

/** A control with its label above it, and what is wrong with it in between. */
export function Frame({
  id,
  label,
  isRequired = false,
  isWhole = false,
  error,
  caution,
  children,
}: FrameProps) {
  return (
    <div className={`field${error ? " wrong" : ""}${isWhole ? " full" : ""}`}>
      <label htmlFor={id} id={`${id}-label`}>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {caution && (
        <p className="caution" id={`${id}-caution`}>
          {caution}
        </p>
      )}
      {children}
    </div>
  );
}

/** Returns the ids of what is said about a control. */
export function saidAbout(
  id: string,
  error: string | undefined,
  caution?: string,
): string | undefined {
  return (
    [error && `${id}-error`, caution && `${id}-caution`].filter(Boolean).join(" ") || undefined
  );
}

interface Props {
  id: string;
  field: Field;
  value: string;
  error: string | undefined;
  caution: string | undefined;
  isWhole: boolean;
  /** What was said before. */
  said: string[];
  vehicles: Vehicle[] | null;
  hasFailed: boolean;
  onChange: (text: string) => void;
}

function Control({ id, field, value, error, caution, said, vehicles, hasFailed, onChange }: Props) {
  const shared = {
    id,
    value,
    required: field.required,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": saidAbout(id, error, caution),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
      onChange(event.target.value),
  };
  switch (field.type) {
    case "plate":
      return (
        <PlateField
          id={id}
          value={value}
          vehicles={vehicles}
          hasFailed={hasFailed}
          describedBy={shared["aria-describedby"]}
          isWrong={error !== undefined}
          isRequired={field.required}
          onChange={onChange}
        />
      );
    case "date":
      return <input {...shared} type="date" max={londonDay()} />;
    case "number":
      return <input {...shared} inputMode="decimal" autoComplete="off" />;
    case "choice":
      return (
        <select {...shared}>
          <option value="" />
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      );
    case "suggested":
      return (
        <>
          <input {...shared} list={`${id}-said`} autoComplete="off" />
          <datalist id={`${id}-said`}>
            {said.map((text) => (
              <option key={text} value={text} />
            ))}
          </datalist>
        </>
      );
    case "textarea":
      return <textarea {...shared} rows={3} />;
    default:
      return <input {...shared} autoComplete={field.name === "Name" ? "name" : "off"} />;
  }
}

export function FieldInput(props: Props) {
  const { id, field, error, caution, isWhole } = props;
  return (
    <Frame
      id={id}
      label={field.label}
      isRequired={field.required}
      isWhole={isWhole}
      error={error}
      caution={caution}
    >
      <Control {...props} />
    </Frame>
  );
}
