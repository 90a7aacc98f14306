/** The fields around the lines: when, and for whom. */
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
  const wrongDate = errorAt(problems, "bulk-date");
  const wrongTeam = errorAt(problems, "bulk-team");
  return (
    <div className="two">
      <div className={wrongTeam ? "field wrong" : "field"}>
        <label htmlFor="bulk-team">Team (optional)</label>
        {wrongTeam && (
          <p className="error" id="bulk-team-error">
            {wrongTeam}
          </p>
        )}
        <input
          id="bulk-team"
          list="bulk-teams"
          autoComplete="off"
          value={fields.team}
          aria-invalid={wrongTeam ? true : undefined}
          aria-describedby={wrongTeam ? "bulk-team-error" : undefined}
          onChange={(event) => onChange({ team: event.target.value })}
        />
        <datalist id="bulk-teams">
          {teams.map((team) => (
            <option key={team} value={team} />
          ))}
        </datalist>
      </div>
      <div className={wrongDate ? "field wrong" : "field"}>
        <label htmlFor="bulk-date">Date</label>
        {wrongDate && (
          <p className="error" id="bulk-date-error">
            {wrongDate}
          </p>
        )}
        <input
          id="bulk-date"
          type="date"
          max={today}
          value={fields.date}
          aria-invalid={wrongDate ? true : undefined}
          aria-describedby={wrongDate ? "bulk-date-error" : undefined}
          onChange={(event) => onChange({ date: event.target.value })}
        />
      </div>
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
  const wrong = errorAt(problems, "bulk-destination");
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
        <div className={wrong ? "field wrong" : "field"}>
          <label htmlFor="bulk-destination">Destination site</label>
          {wrong && (
            <p className="error" id="bulk-destination-error">
              {wrong}
            </p>
          )}
          <select
            id="bulk-destination"
            value={fields.destination}
            aria-invalid={wrong ? true : undefined}
            aria-describedby={wrong ? "bulk-destination-error" : undefined}
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
        </div>
      )}
    </>
  );
}
