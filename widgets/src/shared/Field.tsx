/** A control with its label, its error and a caution above it. */
import type { ReactNode } from "react";

interface Props {
  id: string;
  label: string;
  isRequired?: boolean;
  /** Takes the whole width of a form with two columns. */
  isWide?: boolean;
  error: string | undefined;
  /** A warning that does not stop the form from being sent. */
  caution?: string | undefined;
  children: ReactNode;
}

export function Field(props: Props) {
  const { id, label, isRequired = false, isWide = false, error, caution, children } = props;
  return (
    <div className={`field${error ? " wrong" : ""}${isWide ? " full" : ""}`}>
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

/** Returns the ids of a control's error and caution, as aria-describedby takes them. */
export function descriptionIds(
  id: string,
  error: string | undefined,
  caution?: string,
): string | undefined {
  return (
    [error && `${id}-error`, caution && `${id}-caution`].filter(Boolean).join(" ") || undefined
  );
}

/** Returns the attributes that tie a control to its error. */
export function errorAttributes(id: string, error: string | undefined) {
  return {
    "aria-invalid": error ? true : undefined,
    "aria-describedby": descriptionIds(id, error),
  };
}
