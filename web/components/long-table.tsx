// The rows of a long table. All have one height, and only those near what can be seen are in the document, between two that
// keep the place of the others.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { drawNow, watchTable } from "./in-sight.ts";
import "./long-table.css";

/** Above and below what can be seen: at once, for a table of which only the head can be seen; and in a pause. */
const NEAR_ROWS = 1;
const MARGIN_ROWS = 4;

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
 * `box`: around the table, and as high as all its rows, whether they are drawn or not. `rows`: how many there are.
 */
export function useRowsOnPage(
  box: { readonly current: HTMLElement | null },
  rows: number,
  rowHeight: number,
): Drawn {
  const [shown, setShown] = useState({ first: 0, last: 0, height: rowHeight });
  const latest = useRef<Drawn>(shown);
  // An effect without layout would end a frame after its table.
  useLayoutEffect(() => {
    const around = box.current!;
    let wanted = latest.current;
    const ending = watchTable({
      box: around,
      look(bottom, isPause) {
        const { top } = around.getBoundingClientRect();
        const height = around.querySelector<HTMLElement>("tr[aria-rowindex]")?.offsetHeight ?? rowHeight;
        const margin = isPause ? MARGIN_ROWS : NEAR_ROWS;
        const sight = rowsBetween(-top - height, bottom - top - height, rows, height, margin);
        const isEnough = !isPause && contains(latest.current, sight) && latest.current.last <= rows;
        wanted = { ...isEnough ? latest.current : sight, height };
      },
      reach(count, isEnd) {
        // The head of a table with rows is there.
        const has = ({ first, last }: RowsInSight) => first < last && (!isEnd || last === rows);
        const begin = isEnd ? Math.max(0, rows - count) : 0;
        if (!has(latest.current)) wanted = { ...wanted, first: begin, last: Math.min(rows, begin + count) };
        else if (!has(wanted)) wanted = latest.current;
      },
      draw(most) {
        const before = latest.current;
        const next = stepTo(wanted, before, most);
        if (!isSame(next, before)) setShown(latest.current = next);
        const kept = Math.min(next.last, before.last) - Math.max(next.first, before.first);
        return { made: next.last - next.first - Math.max(0, kept), isDone: isSame(next, wanted) };
      },
    });
    // Rows in another order are drawn already, in the places of others.
    const { last } = latest.current;
    if (last === 0 || last > rows) drawNow();
    return ending;
  }, [rows]);
  return shown;
}

export interface Drawn extends RowsInSight {
  readonly height: number;
}

function isSame(one: Drawn, other: Drawn): boolean {
  return one.first === other.first && one.last === other.last && one.height === other.height;
}

function contains(drawn: RowsInSight, { first, last }: RowsInSight): boolean {
  return drawn.first <= first && drawn.last >= last;
}

/** Those of `wanted` that are drawn, and at most `most` more at each end. */
function stepTo(wanted: Drawn, drawn: Drawn, most: number): Drawn {
  const first = Math.max(drawn.first, wanted.first);
  const last = Math.min(drawn.last, wanted.last);
  if (first >= last) return { ...wanted, last: Math.min(wanted.last, wanted.first + most) };
  return { ...wanted, first: Math.max(wanted.first, first - most), last: Math.min(wanted.last, last + most) };
}

/** In the place of rows that are not drawn. `rowHeight`: CSS pixels. */
export function Spacer({ rows, rowHeight }: { readonly rows: number; readonly rowHeight: number }) {
  return rows <= 0 ? null : (
    <tr aria-hidden="true" class="spacer" style={{ height: `${rows * rowHeight}px` }}>
      <td />
    </tr>
  );
}
