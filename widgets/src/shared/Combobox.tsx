/** A text field with type-ahead: free text is accepted; suggestions are a shortcut. */
import { useCombobox } from "downshift";
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
} from "react";

/** An offer of the list; keys are unique. */
export interface Offered {
  key: string;
}

interface Props<Offer extends Offered> {
  id: string;
  /** Without one, the field has a <label> whose id is the field's with -label. */
  label?: string;
  listLabel: string;
  value: string;
  offers: Offer[];
  textOf: (offer: Offer) => string;
  /** Renders an offer. */
  children: (offer: Offer) => ReactNode;
  describedBy: string | undefined;
  isInvalid: boolean;
  isRequired?: boolean;
  placeholder?: string;
  onChange: (text: string) => void;
  onDone: () => void;
  onFocus?: (event: FocusEvent<HTMLInputElement>) => void;
  onPaste?: (event: ClipboardEvent<HTMLInputElement>) => void;
}

export function Combobox<Offer extends Offered>(props: Props<Offer>) {
  const {
    id,
    label,
    listLabel,
    value,
    offers,
    textOf,
    children,
    describedBy,
    isInvalid,
    onChange,
    onDone,
  } = props;
  const list = useRef<HTMLUListElement>(null);
  const box = useCombobox({
    items: offers,
    inputId: id,
    labelId: `${id}-label`,
    inputValue: value,
    selectedItem: null,
    itemToString: (offer) => (offer ? textOf(offer) : ""),
    onStateChange: ({ type, selectedItem }) => {
      if (!selectedItem) return;
      onChange(textOf(selectedItem));
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
          ...(label === undefined ? {} : { "aria-label": label }),
          "aria-invalid": isInvalid ? true : undefined,
          "aria-describedby": describedBy,
          required: props.isRequired,
          placeholder: props.placeholder,
          autoComplete: "off",
          enterKeyHint: "next",
          onChange: (event) => onChange(event.currentTarget.value),
          onFocus: props.onFocus,
          onKeyDown,
          onPaste: props.onPaste,
        })}
        // Downshift names no offer by an empty text, which is no id.
        {...(isOpen && box.highlightedIndex >= 0 ? {} : { "aria-activedescendant": undefined })}
      />
      <ul
        {...box.getMenuProps({ ref: list, "aria-label": listLabel })}
        className="offers"
        hidden={!isOpen}
      >
        {isOpen &&
          offers.map((offer, index) => (
            <li
              key={offer.key}
              {...box.getItemProps({ item: offer, index })}
              className={index === box.highlightedIndex ? "chosen" : undefined}
            >
              {children(offer)}
            </li>
          ))}
      </ul>
    </div>
  );
}
