/** The heads of a table of counted lines: each a name, and a class if it has one. */
export function ColumnHeads({ columns }: { columns: readonly (readonly [string, string?])[] }) {
  return columns.map(([name, className]) => (
    <th key={name} role="columnheader" scope="col" className={className}>
      {name}
    </th>
  ));
}
