/** The lines of the count. Only those in view are rendered: 3,000 rows are too many for a phone. */
import {
  defaultRangeExtractor,
  type Range,
  useWindowVirtualizer,
  type Virtualizer,
} from "@tanstack/react-virtual";
import type { Ref } from "react";
import {
  type FocusEvent,
  Fragment,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { ColumnHeads } from "./ColumnHeads";
import { CountRow } from "./CountRow";
import type { CountStore } from "./store";

export interface CountTableHandle {
  focusLine(index: number): void;
}

interface Props {
  store: CountStore;
  visible: number[];
  siteLabel: string;
  handle: Ref<CountTableHandle>;
}

const CARD = 80;
const ROW = 33;

/** Returns the height that the browser reports for a row; reading it before would force a layout. */
function heightOf(
  row: Element,
  entry: ResizeObserverEntry | undefined,
  virtualizer: Virtualizer<Window, Element>,
): number {
  const box = entry?.borderBoxSize[0];
  if (box) return Math.round(box.blockSize);
  const position = virtualizer.indexFromElement(row);
  return (
    virtualizer.measurementsCache[position]?.size ?? virtualizer.options.estimateSize(position)
  );
}

function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row does not take the focus
    <tr className="gap" aria-hidden="true">
      {/* One cell without a span, which would reserve room for hidden columns. */}
      <td style={{ height }} />
    </tr>
  );
}

const COLUMNS = [
  ["Item"],
  ["Expected", "num"],
  ["Counted", "num counting"],
  ["Difference", "num diff"],
  ["Category", "wide"],
  ["Unit Price", "num wide"],
] as const;

export function CountTable({ store, visible, siteLabel, handle }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const [active, setActive] = useState<number | null>(null);
  const activePosition = active === null ? -1 : visible.indexOf(active);

  const rangeExtractor = useCallback(
    (range: Range) => {
      const rendered = defaultRangeExtractor(range);
      // The row with the focus stays rendered while it is out of view, or typing would be lost.
      if (activePosition < 0 || rendered.includes(activePosition)) return rendered;
      return [...rendered, activePosition].sort((a, b) => a - b);
    },
    [activePosition],
  );
  const getItemKey = useCallback((position: number) => visible[position] ?? position, [visible]);
  const estimate = useMemo(() => (matchMedia("(max-width:42.99em)").matches ? CARD : ROW), []);
  const estimateSize = useCallback(() => estimate, [estimate]);
  const virtualizer = useWindowVirtualizer({
    count: visible.length,
    estimateSize,
    getItemKey,
    measureElement: heightOf,
    rangeExtractor,
    overscan: 6,
    scrollMargin,
    initialRect: { width: innerWidth, height: innerHeight },
  });

  useLayoutEffect(() => {
    const measure = () =>
      setScrollMargin(Math.round((body.current?.getBoundingClientRect().top ?? 0) + scrollY));
    measure();
    // The content above the list changes its height: notices, found items.
    const watch = new ResizeObserver(measure);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, []);

  const focusPosition = useCallback(
    (position: number) => {
      const index = visible[position];
      if (index === undefined) return;
      flushSync(() => setActive(index));
      document.getElementById(`count-${index}`)?.focus();
    },
    [visible],
  );
  useImperativeHandle(
    handle,
    () => ({ focusLine: (index) => focusPosition(visible.indexOf(index)) }),
    [focusPosition, visible],
  );
  const onFocus = ({ target }: FocusEvent) => {
    const position = Number(target.closest("tr")?.dataset.index ?? Number.NaN);
    setActive(visible[position] ?? null);
  };

  let end = 0;
  const rows = virtualizer.getVirtualItems().map(({ index: position, key, start, end: bottom }) => {
    const gap = start - scrollMargin - end;
    end = bottom - scrollMargin;
    return (
      <Fragment key={key}>
        {gap > 0 && <Gap height={gap} />}
        <CountRow
          store={store}
          index={visible[position] ?? 0}
          position={position}
          onMove={focusPosition}
          measure={virtualizer.measureElement}
        />
      </Fragment>
    );
  });
  const rest = virtualizer.getTotalSize() - end;

  return (
    <div className="fit">
      <table
        className="table cards count sheet-of-counts"
        role="table"
        aria-rowcount={visible.length + 1}
      >
        <caption className="sr">Count of stock at {siteLabel}</caption>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            <ColumnHeads columns={COLUMNS} />
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body} onFocus={onFocus}>
          {rows}
          {rest > 0 && <Gap height={rest} />}
        </tbody>
      </table>
    </div>
  );
}
