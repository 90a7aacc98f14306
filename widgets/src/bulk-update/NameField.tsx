/** A name with type-ahead over the site's items. */
import { useCombobox } from "downshift";
import { type ClipboardEvent, type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef } from "react";
import type { Item } from "../shared/inventory";
import { formatNumber } from "../shared/money";
import { matching, nameKey } from "../shared/names";

const MOST = 20;

export type Offer = Item & { key: string };

/** Returns the items that hold every word typed, those that begin with it first. */
export function offersFor(typed: string, items: Offer[]): Offer[] {
  const start = nameKey(typed);
  if (start === "") return [];
  const matches = matching(typed);
  const found = items.filter(({ key }) => matches(key));
  const isWhole = found.length === 1 && found[0]?.key === start;
  if (isWhole) return [];
  const first = found.filter(({ key }) => key.startsWith(start));
  return [...first, ...found.filter(({ key }) => !key.startsWith(start))].slice(0, MOST);
}

interface Props {
  id: string;
  label: string;
  value: string;
  items: Offer[];
  describedBy: string | undefined;
  isWrong: boolean;
  onChange: (name: string) => void;
  onDone: () => void;
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
}

export function NameField({ id, label, value, items, describedBy, isWrong, onChange, onDone, onPaste }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const typed = useDeferredValue(value);
  const offers = useMemo(() => offersFor(typed, items), [typed, items]);
  const box = useCombobox({
    items: offers,
    inputId: id,
    inputValue: value,
    selectedItem: null,
    itemToString: (offer) => offer?.item ?? "",
    onStateChange: ({ type, selectedItem }) => {
      if (!selectedItem) return;
      onChange(selectedItem.item);
      if (type !== useCombobox.stateChangeTypes.InputBlur) onDone();
    },
  });
  const isOpen = box.isOpen && offers.length > 0;
  useEffect(() => {
    if (isOpen) list.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") {
      // Esc closes the offers first, and the dialog only when there are none; it never clears the name.
      if (isOpen) event.preventDefault();
      else Object.assign(event.nativeEvent, { preventDownshiftDefault: true });
    }
    if (event.key === "Enter") {
      event.preventDefault();
      if (!isOpen || box.highlightedIndex < 0) onDone();
    }
  };

  return (
    <div className="combobox">
      <input
        {...box.getInputProps({
          "aria-label": label,
          "aria-invalid": isWrong ? true : undefined,
          "aria-describedby": describedBy,
          autoComplete: "off",
          enterKeyHint: "next",
          onChange: (event) => onChange(event.currentTarget.value),
          onKeyDown,
          onPaste,
        })}
      />
      <ul {...box.getMenuProps({ ref: list, "aria-label": "Items" })} className="offers" hidden={!isOpen}>
        {isOpen &&
          offers.map((offer, index) => (
            <li key={offer.key} {...box.getItemProps({ item: offer, index })} className={index === box.highlightedIndex ? "chosen" : undefined}>
              <span className="grow">{offer.item}</span>
              <span className="num muted">{formatNumber(offer.amount)}</span>
            </li>
          ))}
      </ul>
    </div>
  );
}
