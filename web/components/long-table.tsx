// The rows of a long table. All have one height, and only those near what can be seen are in the document, between two that
// keep the place of the others.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import "./long-table.css";

/** Above and below what can be seen. */
const MARGIN_ROWS = 10;
/** So long after the last scrolling, the rows around what can be seen are drawn. */
const PAUSE_MS = 100;
/** The most that are drawn in one frame. A row takes 1 to 3 ms, and the page should answer within 50 ms. */
const ROWS_PER_FRAME = 12;

interface RowsInSight {
  readonly first: number;
  /** Exclusive. */
  readonly last: number;
}

/** `top`, `bottom`: of what can be seen, in the unit of `rowHeight`, from the top of all rows. `margin`: rows around that. */
export function rowsBetween(
  top: number,
  bottom: number,
  rows: number,
  rowHeight: number,
  margin = MARGIN_ROWS,
): RowsInSight {
  const first = Math.min(rows, Math.max(0, Math.floor(top / rowHeight) - margin));
  const last = Math.max(first, Math.min(rows, Math.ceil(bottom / rowHeight) + margin));
  return { first, last };
}

/** What is drawn next on the way to `wanted`: what is there already, and some more. */
export function rowsToward<Rows extends RowsInSight>(drawn: RowsInSight, wanted: Rows): Rows {
  const first = Math.max(drawn.first, wanted.first);
  const last = Math.min(drawn.last, wanted.last);
  if (first >= last) return { ...wanted, last: Math.min(wanted.last, wanted.first + ROWS_PER_FRAME) };
  const below = Math.min(ROWS_PER_FRAME, wanted.last - last);
  const above = Math.min(ROWS_PER_FRAME - below, first - wanted.first);
  return { ...wanted, first: first - above, last: last + below };
}

/**
 * The rows in sight of a table that scrolls with the page, and the height of a row: `rowHeight` in CSS pixels until a row is
 * drawn, which may be higher, for people with larger text. Rows need an aria-rowindex, and the table a head of one row.
 * What can be seen is drawn at once, over some frames if it is much, and rows around it in a pause.
 * `box`: around the table. The browser may leave out what is in it, and need not lay that out for its place.
 */
export function useRowsOnPage(
  box: { readonly current: HTMLElement | null },
  rows: readonly unknown[],
  rowHeight: number,
): Drawn {
  const [shown, setShown] = useState<Drawn>({ first: 0, last: 0, height: rowHeight });
  const drawn = useRef(shown);
  // An effect without layout would end a frame after its table.
  useLayoutEffect(() => {
    const around = box.current!;
    let frame = 0;
    const draw = (wanted: Drawn) => {
      cancelAnimationFrame(frame);
      const next = rowsToward(drawn.current, wanted);
      if (!isSame(drawn.current, next)) setShown(drawn.current = next);
      if (!isSame(next, wanted)) frame = requestAnimationFrame(() => draw(wanted));
    };
    const inSight = (margin: number) => {
      const { top } = around.getBoundingClientRect();
      const height = around.querySelector<HTMLElement>("tr[aria-rowindex]")?.offsetHeight ?? rowHeight;
      return { ...rowsBetween(-top - height, innerHeight - top - height, rows.length, height, margin), height };
    };
    let pause: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const wanted = inSight(0);
      if (drawn.current.last > rows.length || !contains(drawn.current, wanted)) draw(wanted);
      clearTimeout(pause);
      pause = setTimeout(() => draw(inSight(MARGIN_ROWS)), PAUSE_MS);
    };
    const ending = new AbortController();
    const { signal } = ending;
    // Captured, because scrolling of an element is not told to those around it.
    addEventListener("scroll", look, { capture: true, passive: true, signal });
    addEventListener("resize", look, { signal });
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    look();
    return () => {
      clearTimeout(pause);
      cancelAnimationFrame(frame);
      ending.abort();
      observer.disconnect();
    };
  }, [rows]);
  return shown;
}

interface Drawn extends RowsInSight {
  readonly height: number;
}

function isSame(one: Drawn, other: Drawn): boolean {
  return one.first === other.first && one.last === other.last && one.height === other.height;
}

function contains(drawn: Drawn, { first, last, height }: Drawn): boolean {
  return drawn.height === height && drawn.first <= first && drawn.last >= last;
}

/** In the place of rows that are not drawn. `rowHeight`: CSS pixels. */
export function Spacer({ rows, rowHeight }: { readonly rows: number; readonly rowHeight: number }) {
  return rows <= 0 ? null : (
    <tr aria-hidden="true" class="spacer" style={{ height: `${rows * rowHeight}px` }}>
      <td />
    </tr>
  );
}
