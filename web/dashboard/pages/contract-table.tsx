// A group of contracts as a table. Its columns depend on its width: the narrowest has name, bid, ask and last price.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { address } from "./page.ts";
import type { Group, Sort, SortKey } from "./contract-groups.ts";
import { ContractRowView } from "./contract-row.tsx";

/** CSS pixels, for the height of a table that has not been drawn yet. */
const ROW_HEIGHT = 26;
const HEAD_HEIGHT = 26;
/** Around what can be seen. */
const NEAR = "300px";
/** How old a table out of sight may get, for screen readers and for the search of the browser. Milliseconds. */
const OUT_OF_SIGHT_MS = 1_000;

interface ContractTableProps {
  readonly node: string;
  readonly group: Group;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  /** False: its rows are drawn later. */
  readonly isDrawn: boolean;
}

export function ContractTable({ node, group, sort, onSort, isDrawn }: ContractTableProps) {
  const box = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(box);
  const round = useRounds({ isCounting: !isNear });
  const column = (key: SortKey, text: ComponentChildren) => (
    <SortHeading column={key} sort={sort} onSort={onSort}>{text}</SortHeading>
  );
  return (
    <div
      ref={box}
      class="contracts-box"
      style={{ containIntrinsicBlockSize: `auto ${group.contractIds.length * ROW_HEIGHT + HEAD_HEIGHT}px` }}
    >
      <table class="data-table" aria-label={`${group.title}, ${node}`} onClick={openRow}>
        <thead>
          <tr>
            {column("delivery", "Contract")}
            {column("bid", "Bid")}
            {column("ask", "Ask")}
            {column("spread", "Spread")}
            {column("last", "Last")}
            {column("volume", "MW")}
            <th scope="col" class="contracts-spark">Trend</th>
            {column("change", "Change")}
            {column("orders", "Orders")}
          </tr>
        </thead>
        <tbody>
          {isDrawn &&
            group.contractIds.map((id) => <ContractRowView key={id} contractId={id} isLive={isNear} round={round} />)}
        </tbody>
      </table>
    </div>
  );
}

interface SortHeadingProps {
  readonly column: SortKey;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly children: ComponentChildren;
}

const HINTS: Partial<Record<SortKey, string>> = {
  bid: "Best bid, $/MWh",
  ask: "Best ask, $/MWh",
  spread: "Best ask less best bid, $/MWh",
  last: "Price of the last trade, $/MWh; the arrow compares it with the 40th last one",
  change: "Change over the last 40 trades, $/MWh",
  volume: "MW traded since the market began",
  orders: "Orders in the book",
};

function SortHeading({ column, sort, onSort, children }: SortHeadingProps) {
  const isSorted = sort.key === column;
  const order = isSorted ? sort.isDescending ? "descending" : "ascending" : undefined;
  // The first click shows what is usually wanted: the earliest delivery, the highest value.
  const next = { key: column, isDescending: isSorted ? !sort.isDescending : column !== "delivery" };
  return (
    <th
      scope="col"
      class={column === "delivery" ? "contracts-name" : `number contracts-${column}`}
      aria-sort={order}
      title={HINTS[column]}
    >
      <button type="button" onClick={() => onSort(next)}>
        {children}
        {isSorted && <span aria-hidden="true">{sort.isDescending ? " ▾" : " ▴"}</span>}
      </button>
    </th>
  );
}

/** Whether the element can be seen, or could be after a little scrolling. */
function useIsNear(box: { readonly current: HTMLElement | null }): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)!.isIntersecting), {
      rootMargin: NEAR,
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  return isNear;
}

/** Another number each OUT_OF_SIGHT_MS, as long as `isCounting`. */
function useRounds({ isCounting }: { readonly isCounting: boolean }): number {
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setRound((before) => before + 1), OUT_OF_SIGHT_MS);
    return () => clearInterval(timer);
  }, [isCounting]);
  return round;
}

/** A click anywhere in a row opens its contract, unless somebody selects text. */
function openRow({ target }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest("a, button") !== null) return;
  const contractId = target.closest("tr")?.dataset["contract"];
  if (contractId !== undefined && getSelection()?.type !== "Range") location.hash = address("contract", contractId);
}
