// The rows of a long table. All have one height, and only those near what can be seen are in the document, between two that
// keep the place of the others.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import "./long-table.css";

/** Above and below what can be seen: at once, for a table of which only the head can be seen; and in a pause. */
const NEAR_ROWS = 1;
const MARGIN_ROWS = 4;
/** A task draws no more new rows than this, above and below those that are there, so that the page answers in between. */
const STEP_ROWS = 10;
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
 * What can be seen is drawn just after the frame that scrolls, some rows at a time, and rows around it in a pause, so that
 * nothing keeps the page waiting for long.
 * `box`: around the table, and as high as all its rows, whether they are drawn or not.
 */
export function useRowsOnPage(
  box: { readonly current: HTMLElement | null },
  rows: readonly unknown[],
  rowHeight: number,
): Drawn {
  const [shown, setShown] = useState({ first: 0, last: 0, height: rowHeight });
  const latest = useRef<Drawn>(shown);
  // An effect without layout would end a frame after its table.
  useLayoutEffect(() => {
    const around = box.current!;
    const inSight = (margin: number) => {
      const { top } = around.getBoundingClientRect();
      const height = around.querySelector<HTMLElement>("tr[aria-rowindex]")?.offsetHeight ?? rowHeight;
      return { ...rowsBetween(-top - height, innerHeight - top - height, rows.length, height, margin), height };
    };
    let isPause = false;
    let soon: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      soon = undefined;
      const wanted = inSight(isPause ? MARGIN_ROWS : NEAR_ROWS);
      const isDrawn = isPause ? isSame : contains;
      if (isDrawn(latest.current, wanted) && latest.current.last <= rows.length) return;
      latest.current = stepTo(wanted, latest.current);
      setShown(latest.current);
      if (!isSame(latest.current, wanted)) drawSoon();
    };
    // Not in the frame that scrolls, which would take longer by the making of rows.
    const drawSoon = () => void (soon ??= setTimeout(draw));
    let pause: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      isPause = false;
      drawSoon();
      clearTimeout(pause);
      pause = setTimeout(() => {
        isPause = true;
        drawSoon();
      }, PAUSE_MS);
    };
    const ending = new AbortController();
    const { signal } = ending;
    // Captured, because scrolling of an element is not told to those around it.
    addEventListener("scroll", look, { capture: true, passive: true, signal });
    addEventListener("resize", look, { signal });
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    // Rows in another order are drawn already, where others were.
    const { last } = latest.current;
    if (last === 0 || last > rows.length) draw();
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

/** Those of `wanted` that are drawn, and some more. */
function stepTo(wanted: Drawn, drawn: Drawn): Drawn {
  const first = Math.max(drawn.first, wanted.first);
  const last = Math.min(drawn.last, wanted.last);
  if (first >= last) return { ...wanted, last: Math.min(wanted.last, wanted.first + STEP_ROWS) };
  return {
    ...wanted,
    first: Math.max(wanted.first, first - STEP_ROWS),
    last: Math.min(wanted.last, last + STEP_ROWS),
  };
}

/** In the place of rows that are not drawn. `rowHeight`: CSS pixels. */
export function Spacer({ rows, rowHeight }: { readonly rows: number; readonly rowHeight: number }) {
  return rows <= 0 ? null : (
    <tr aria-hidden="true" class="spacer" style={{ height: `${rows * rowHeight}px` }}>
      <td />
    </tr>
  );
}
