/** The fields beside the lines: action, person and date. */
import { errorAttributes, Field } from "../shared/Field";
import type { Problem } from "../shared/Problems";
import type { Fields } from "./form";
import type { SiteChoice } from "./props";

interface Props {
  fields: Fields;
  teams: string[];
  today: string;
  problems: Problem[];
  onChange: (part: Partial<Fields>) => void;
}

function errorAt(problems: Problem[], id: string): string | undefined {
  return problems.find(({ target }) => target === id)?.message;
}

export function Details({ fields, teams, today, problems, onChange }: Props) {
  const dateError = errorAt(problems, "bulk-date");
  const teamError = errorAt(problems, "bulk-team");
  return (
    <div className="two">
      <Field id="bulk-team" label="Team (optional)" error={teamError}>
        <input
          id="bulk-team"
          list="bulk-teams"
          autoComplete="off"
          value={fields.team}
          {...errorAttributes("bulk-team", teamError)}
          onChange={(event) => onChange({ team: event.target.value })}
        />
        <datalist id="bulk-teams">
          {teams.map((team) => (
            <option key={team} value={team} />
          ))}
        </datalist>
      </Field>
      <Field id="bulk-date" label="Date" error={dateError}>
        <input
          id="bulk-date"
          type="date"
          max={today}
          value={fields.date}
          {...errorAttributes("bulk-date", dateError)}
          onChange={(event) => onChange({ date: event.target.value })}
        />
      </Field>
    </div>
  );
}

const ACTIONS = [
  { value: "delivery", label: "Delivery" },
  { value: "withdrawal", label: "Withdrawal" },
  { value: "transfer", label: "Transfer" },
] as const;

interface ActionProps {
  fields: Fields;
  site: string;
  sites: SiteChoice[];
  problems: Problem[];
  onChange: (part: Partial<Fields>) => void;
}

export function ActionChoice({ fields, site, sites, problems, onChange }: ActionProps) {
  const actions = ACTIONS.filter(({ value }) => value !== "transfer" || sites.length > 1);
  const error = errorAt(problems, "bulk-destination");
  return (
    <>
      <fieldset>
        <legend>Action</legend>
        <div className="seg">
          {actions.map(({ value, label }, index) => (
            <label key={value}>
              <input
                type="radio"
                name="action"
                id={index === 0 ? "bulk-action" : undefined}
                value={value}
                checked={fields.action === value}
                onChange={() => onChange({ action: value })}
              />{" "}
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      {fields.action === "transfer" && (
        <Field id="bulk-destination" label="Destination site" error={error}>
          <select
            id="bulk-destination"
            value={fields.destination}
            {...errorAttributes("bulk-destination", error)}
            onChange={(event) =>
              onChange({ destination: event.target.value as Fields["destination"] })
            }
          >
            <option value="">Choose a site</option>
            {sites
              .filter(({ value }) => value !== site)
              .map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
          </select>
        </Field>
      )}
    </>
  );
}
