// The rows of a long table. All have one height, and only those near what can be seen are in the document, between two that
// keep the place of the others.

import { useLayoutEffect, useState } from "preact/hooks";
import "./long-table.css";

/** Above and below what can be seen. */
const MARGIN_ROWS = 4;
/** So long after the last scrolling, the rows around what can be seen are drawn. */
const PAUSE_MS = 100;

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
  margin: number,
): RowsInSight {
  const first = Math.min(rows, Math.max(0, Math.floor(top / rowHeight) - margin));
  const last = Math.max(first, Math.min(rows, Math.ceil(bottom / rowHeight) + margin));
  return { first, last };
}

/**
 * The rows in sight of a table that scrolls with the page, and the height of a row: `rowHeight` in CSS pixels until a row is
 * drawn, which may be higher, for people with larger text. Rows need an aria-rowindex, and the table a head of one row.
 * What can be seen is drawn just after the frame that scrolls, and rows around it in a pause, so that nothing keeps the page
 * waiting for long.
 * `box`: around the table. The browser may leave out what is in it, and need not lay that out for its place.
 */
export function useRowsOnPage(
  box: { readonly current: HTMLElement | null },
  rows: readonly unknown[],
  rowHeight: number,
): Drawn {
  const [shown, setShown] = useState({ first: 0, last: 0, height: rowHeight });
  // An effect without layout would end a frame after its table.
  useLayoutEffect(() => {
    const around = box.current!;
    const inSight = (margin: number) => {
      const { top } = around.getBoundingClientRect();
      const height = around.querySelector<HTMLElement>("tr[aria-rowindex]")?.offsetHeight ?? rowHeight;
      return { ...rowsBetween(-top - height, innerHeight - top - height, rows.length, height, margin), height };
    };
    const widen = () => {
      const next = inSight(MARGIN_ROWS);
      setShown((before) => isSame(before, next) ? before : next);
    };
    let soon: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      soon = undefined;
      const next = inSight(0);
      setShown((before) => before.last <= rows.length && contains(before, next) ? before : next);
    };
    let pause: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      // Not in the frame that scrolls, which would take longer by the making of rows.
      soon ??= setTimeout(draw);
      clearTimeout(pause);
      pause = setTimeout(widen, PAUSE_MS);
    };
    const ending = new AbortController();
    const { signal } = ending;
    // Captured, because scrolling of an element is not told to those around it.
    addEventListener("scroll", look, { capture: true, passive: true, signal });
    addEventListener("resize", look, { signal });
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    draw();
    look();
    return () => {
      clearTimeout(soon);
      clearTimeout(pause);
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
