/** The sums of assets, as the cells of a row. */
import { formatNumber, formatPence, penceOf } from "../shared/money";
import type { Sums } from "./props";

interface Props {
  sums: Sums;
  /** The highest value of a group; without it, no bar is rendered. */
  most?: number;
}

export function SumCells({ sums, most }: Props) {
  return (
    <>
      <td role="cell" className="num assets">
        {formatNumber(sums.assets)}
      </td>
      <td role="cell" className="num pieces">
        {formatNumber(sums.quantity)}
      </td>
      <td role="cell" className="num worth">
        <div>
          {most !== undefined && <Share of={most} value={sums.value} />}{" "}
          <b>{formatPence(penceOf(sums.value))}</b>
        </div>
      </td>
    </>
  );
}

function Share({ of, value }: { of: number; value: number }) {
  return (
    <svg className="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width={of > 0 ? ((100 * value) / of).toFixed(1) : 0} height="1" />
    </svg>
  );
}
