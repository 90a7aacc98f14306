/** The cost of a repair or expense. */
import { errorAttributes, Field } from "../shared/Field";
import { COST_ID } from "./fields";

interface Props {
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

export function CostField({ value, error, onChange }: Props) {
  return (
    <Field id={COST_ID} label="Repair/Expense (£)" error={error}>
      <div className="money">
        <input
          id={COST_ID}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          {...errorAttributes(COST_ID, error)}
          onFocus={(event) => event.target.select()}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </Field>
  );
}
