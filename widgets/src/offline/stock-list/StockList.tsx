/** A site's stock without a connection. */
import type { StockListProps } from "../props";

export function StockList({ props }: { props: StockListProps }) {
  const { rows } = props.reference.value;
  return (
    <ul>
      {rows.map(([id, name, amount, , , unit]) => (
        <li key={id}>
          {name}: {amount} {unit}
        </li>
      ))}
    </ul>
  );
}
