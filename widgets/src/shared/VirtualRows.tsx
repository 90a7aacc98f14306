/** The rows of a long table. Only those in view are rendered: 3,000 are too many for a phone. */
import {
  defaultRangeExtractor,
  type Range,
  useWindowVirtualizer,
  type Virtualizer,
} from "@tanstack/react-virtual";
import {
  type FocusEvent,
  Fragment,
  type ReactNode,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";

/** Measures a row, whose `data-index` is its position. */
export type Measure = (row: HTMLTableRowElement | null) => void;

interface Props {
  count: number;
  /** The position of the row with the focus; -1 if none has it. */
  active: number;
  /** Is called with the position of a row that takes the focus; -1 for what is no row. */
  onActive: (position: number) => void;
  keyOf: (position: number) => number | string;
  /** Renders the row at a position. */
  children: (position: number, measure: Measure) => ReactNode;
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

/** The body of a table with the class `cards`. */
export function VirtualRows({ count, active, onActive, keyOf, children }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const rendered = defaultRangeExtractor(range);
      // The row with the focus stays rendered while it is out of view, or typing would be lost.
      if (active < 0 || active >= range.count || rendered.includes(active)) return rendered;
      return [...rendered, active].sort((a, b) => a - b);
    },
    [active],
  );
  const estimate = useMemo(() => (matchMedia("(max-width:42.99em)").matches ? CARD : ROW), []);
  const estimateSize = useCallback(() => estimate, [estimate]);
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize,
    getItemKey: keyOf,
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

  const onFocus = ({ target }: FocusEvent) =>
    onActive(Number(target.closest("tr")?.dataset.index ?? -1));

  let end = 0;
  const rows = virtualizer.getVirtualItems().map(({ index: position, key, start, end: bottom }) => {
    const gap = start - scrollMargin - end;
    end = bottom - scrollMargin;
    return (
      <Fragment key={key}>
        {gap > 0 && <Gap height={gap} />}
        {children(position, virtualizer.measureElement)}
      </Fragment>
    );
  });
  const rest = virtualizer.getTotalSize() - end;

  return (
    <tbody role="rowgroup" ref={body} onFocus={onFocus}>
      {rows}
      {rest > 0 && <Gap height={rest} />}
    </tbody>
  );
}
