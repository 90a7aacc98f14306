interface Props {
  value: string;
  placeholder: string;
  onSearch: (text: string) => void;
}

/** The search of a list of items, whose enter key says so on a phone. */
export function SearchItems({ value, placeholder, onSearch }: Props) {
  return (
    <input
      type="search"
      aria-label="Search items"
      placeholder={placeholder}
      autoComplete="off"
      enterKeyHint="search"
      value={value}
      onChange={(event) => onSearch(event.target.value)}
    />
  );
}
