/** The name of an item, with type-ahead over the site's items. */
import { type ClipboardEvent, useDeferredValue, useMemo } from "react";
import { Combobox } from "../shared/Combobox";
import type { Item } from "../shared/inventory";
import { formatNumber } from "../shared/money";
import { matching, nameKey } from "../shared/names";

const MAX_OFFERS = 20;

export type Offer = Item & { key: string };

/** Returns the items that match every word typed, those that start with the text first. */
export function offersFor(typed: string, items: Offer[]): Offer[] {
  const start = nameKey(typed);
  if (start === "") return [];
  const matches = matching(typed);
  const found = items.filter(({ key }) => matches(key));
  const isExact = found.length === 1 && found[0]?.key === start;
  if (isExact) return [];
  const first = found.filter(({ key }) => key.startsWith(start));
  return [...first, ...found.filter(({ key }) => !key.startsWith(start))].slice(0, MAX_OFFERS);
}

interface Props {
  id: string;
  label: string;
  value: string;
  items: Offer[];
  describedBy: string | undefined;
  isInvalid: boolean;
  onChange: (name: string) => void;
  onDone: () => void;
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
}

export function NameField({
  id,
  label,
  value,
  items,
  describedBy,
  isInvalid,
  onChange,
  onDone,
  onPaste,
}: Props) {
  const typed = useDeferredValue(value);
  const offers = useMemo(() => offersFor(typed, items), [typed, items]);
  return (
    <Combobox
      id={id}
      label={label}
      listLabel="Items"
      value={value}
      offers={offers}
      textOf={({ item }) => item}
      describedBy={describedBy}
      isInvalid={isInvalid}
      onChange={onChange}
      onDone={onDone}
      onPaste={onPaste}
    >
      {({ item, amount }) => (
        <>
          <span className="grow">{item}</span>
          <span className="num muted">{formatNumber(amount)}</span>
        </>
      )}
    </Combobox>
  );
}
