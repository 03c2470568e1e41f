// A group of contracts as a table, of which only the rows near what can be seen are drawn, and nothing if there are none: a
// large market has a hundred groups. Its columns depend on its width: the narrowest has name, bid, ask and last price.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { type Drawn, Spacer, useRowsOnPage } from "../../../components/long-table.tsx";
import { address } from "../page.ts";
import type { Group } from "./contract-groups.ts";
import type { SortKey } from "./contract-order.ts";
import { ContractRowView } from "./contract-row.tsx";
import { sort, useSorted } from "./shown-order.ts";

/** CSS pixels. */
const ROW_HEIGHT = 26;

interface ContractTableProps {
  readonly node: string;
  readonly group: Group;
}

export function ContractTable({ node, group: { title, kind, contractIds } }: ContractTableProps) {
  const box = useRef<HTMLDivElement>(null);
  const { first, last, height } = useRowsOnPage(box, contractIds.length, ROW_HEIGHT);
  return (
    <div
      ref={box}
      class={`contracts-box contracts-${kind}`}
      style={{ minBlockSize: `${(contractIds.length + 1) * height}px` }}
    >
      {first < last && (
        <table
          class="data-table"
          aria-label={`${title}, ${node}`}
          aria-rowcount={contractIds.length + 1}
          onClick={openRow}
        >
          <Head />
          <Rows contractIds={contractIds} first={first} last={last} height={height} />
        </table>
      )}
    </div>
  );
}

interface RowsProps extends Drawn {
  readonly contractIds: readonly string[];
}

function Rows({ contractIds, first, last, height }: RowsProps) {
  const sorted = useSorted(contractIds);
  return (
    <tbody>
      <Spacer rows={first} rowHeight={height} />
      {sorted.slice(first, last).map((id, at) => <ContractRowView key={id} contractId={id} index={first + at} />)}
      <Spacer rows={contractIds.length - last} rowHeight={height} />
    </tbody>
  );
}

function Head() {
  const column = (key: SortKey, text: ComponentChildren) => <SortHeading column={key}>{text}</SortHeading>;
  return (
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
  );
}

interface SortHeadingProps {
  readonly column: SortKey;
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

function SortHeading({ column, children }: SortHeadingProps) {
  const { key, isDescending } = sort.value;
  const isSorted = key === column;
  const order = isSorted ? isDescending ? "descending" : "ascending" : undefined;
  // The first click shows what is usually wanted: the earliest delivery, the highest value.
  const next = { key: column, isDescending: isSorted ? !isDescending : column !== "delivery" };
  return (
    <th
      scope="col"
      class={column === "delivery" ? "contracts-name" : `number contracts-${column}`}
      aria-sort={order}
      title={HINTS[column]}
    >
      <button type="button" onClick={() => void (sort.value = next)}>
        {children}
        {isSorted && <span aria-hidden="true">{isDescending ? " ▾" : " ▴"}</span>}
      </button>
    </th>
  );
}

/** A click anywhere in a row opens its contract, unless somebody selects text. */
function openRow({ target }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest("a, button") !== null) return;
  const contractId = target.closest("tr")?.dataset["contract"];
  if (contractId !== undefined && getSelection()?.type !== "Range") location.hash = address("contract", contractId);
}
