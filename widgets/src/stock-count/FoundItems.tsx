/** Items found on the shelf, which Apply adds. */
import { useEffect, useRef, useSyncExternalStore } from "react";
import { errorAttributes, Field } from "../shared/Field";
import { parseWhole } from "../shared/money";
import { type Found, hasWrongPrice, isBlank, isReady, newFound, quantityOf } from "./found";
import { foundTarget } from "./request";
import type { CountStore } from "./store";

interface FieldProps {
  id: string;
  label: string;
  value: string;
  error?: string | undefined;
  inputMode?: "numeric" | "decimal";
  isMoney?: boolean;
  list?: string;
  onChange: (value: string) => void;
}

function TextField({ label, error, isMoney, onChange, ...attributes }: FieldProps) {
  const { id } = attributes;
  const input = (
    <input
      {...attributes}
      autoComplete="off"
      {...errorAttributes(id, error)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
  return (
    <Field id={id} label={label} error={error}>
      {isMoney ? <div className="money">{input}</div> : input}
    </Field>
  );
}

interface Props {
  store: CountStore;
  categories: string[];
}

export function FoundItems({ store, categories }: Props) {
  const found = useSyncExternalStore(store.subscribe, store.foundItems);
  const before = useRef(found.length);
  useEffect(() => {
    const last = found.at(-1);
    // A new item takes the focus, unlike those of a draft or a sheet.
    if (last && found.length === before.current + 1 && isBlank(last))
      document.getElementById(`${last.id}-name`)?.focus();
    before.current = found.length;
  }, [found]);
  if (found.length === 0) return null;

  const change = (id: string, part: Partial<Found>) =>
    store.setFound(store.found.map((each) => (each.id === id ? { ...each, ...part } : each)));
  const clear = (id: string) => {
    store.setFound(store.found.filter((each) => each.id !== id));
    document.getElementById("add-found")?.focus();
  };

  return (
    <section className="found" aria-label="Found items">
      <datalist id="found-categories">
        {categories.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {found.map((each) => {
        const isListed = each.name.trim() !== "" && store.indexOf(each.name) !== undefined;
        const qtyIsInvalid =
          each.qty.trim() !== "" && (quantityOf(each) === null || parseWhole(each.qty) === 0);
        return (
          <fieldset
            key={each.id}
            className="found-item"
            aria-label={each.name.trim() || "Found item"}
          >
            <TextField
              id={`${each.id}-name`}
              label="Item name"
              value={each.name}
              error={store.errors[foundTarget(each.id)]}
              onChange={(name) => change(each.id, { name })}
            />
            <TextField
              id={`${each.id}-qty`}
              label="Quantity"
              value={each.qty}
              inputMode="numeric"
              error={qtyIsInvalid ? "Enter a whole number of 1 or more." : undefined}
              onChange={(qty) => change(each.id, { qty })}
            />
            <TextField
              id={`${each.id}-category`}
              label="Category"
              value={each.category}
              list="found-categories"
              onChange={(category) => change(each.id, { category })}
            />
            <TextField
              id={`${each.id}-price`}
              label="Unit price (£)"
              value={each.price}
              inputMode="decimal"
              isMoney
              error={hasWrongPrice(each) ? "Enter a price such as 2.10." : undefined}
              onChange={(price) => change(each.id, { price })}
            />
            <div className="row found-end">
              <span role="status">
                {!isListed && (
                  <span className={isReady(each) ? "badge ok" : "badge"}>
                    {isReady(each) ? "Will be added on Apply" : "Enter name and quantity"}
                  </span>
                )}
                {isListed && (
                  <span className="caution">
                    Already in the list: count it there and clear it here.
                  </span>
                )}
              </span>
              <button type="button" className="btn" onClick={() => clear(each.id)}>
                Clear
              </button>
            </div>
          </fieldset>
        );
      })}
    </section>
  );
}

export function addFound(store: CountStore): void {
  const blank = store.found.find(isBlank);
  if (blank) document.getElementById(`${blank.id}-name`)?.focus();
  else store.setFound([...store.found, newFound()]);
}
