// The rows of a long table. All have one height, and only those near what can be seen are in the document, between two that
// keep the place of the others.

import { useLayoutEffect, useState } from "preact/hooks";
import "./long-table.css";

/** Above and below what can be seen. */
const MARGIN_ROWS = 10;

interface RowsInSight {
  readonly first: number;
  /** Exclusive. */
  readonly last: number;
}

/** `top`, `bottom`: of what can be seen, in the unit of `rowHeight`, from the top of all rows. */
export function rowsBetween(top: number, bottom: number, rows: number, rowHeight: number): RowsInSight {
  const first = Math.min(rows, Math.max(0, Math.floor(top / rowHeight) - MARGIN_ROWS));
  const last = Math.max(first, Math.min(rows, Math.ceil(bottom / rowHeight) + MARGIN_ROWS));
  return { first, last };
}

/**
 * The rows in sight of a table that scrolls with the page, and the height of a row: `rowHeight` in CSS pixels until a row is
 * drawn, which may be higher, for people with larger text. Rows need an aria-rowindex, and the table a head of one row.
 * `box`: around the table. The browser may leave out what is in it, and need not lay that out for its place.
 */
export function useRowsOnPage(
  box: { readonly current: HTMLElement | null },
  rows: readonly unknown[],
  rowHeight: number,
): RowsInSight & { readonly height: number } {
  const [shown, setShown] = useState({ first: 0, last: 0, height: rowHeight });
  // An effect without layout would end a frame after its table.
  useLayoutEffect(() => {
    const around = box.current!;
    const look = () => {
      const { top } = around.getBoundingClientRect();
      const height = around.querySelector<HTMLElement>("tr[aria-rowindex]")?.offsetHeight ?? rowHeight;
      const { first, last } = rowsBetween(-top - height, innerHeight - top - height, rows.length, height);
      setShown((before) =>
        before.first === first && before.last === last && before.height === height ? before : { first, last, height }
      );
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
      ending.abort();
      observer.disconnect();
    };
  }, [rows]);
  return shown;
}

/** In the place of rows that are not drawn. `rowHeight`: CSS pixels. */
export function Spacer({ rows, rowHeight }: { readonly rows: number; readonly rowHeight: number }) {
  return rows <= 0 ? null : (
    <tr aria-hidden="true" class="spacer" style={{ height: `${rows * rowHeight}px` }}>
      <td />
    </tr>
  );
}
