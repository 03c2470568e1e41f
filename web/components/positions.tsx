// The positions of an entity: its totals, and each contract with a bar for the net energy, cash and profit.

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { PositionRow, PositionsResult } from "../contract/tool-results.ts";
import { Delta } from "./delta.tsx";
import { count, money, price, quantity, signed, signedQuantity, wholeMoney } from "./format.ts";
import { EmptyState } from "./notices.tsx";
import "./positions.css";
import { NumberHeads, sorted, SortHead, type Sorting, useSorting } from "./sorting.tsx";
import { Stat, Stats } from "./stat.tsx";
import { TableBox } from "./table-box.tsx";

interface PositionsProps {
  readonly entity: PositionsResult;
  /** The address of a contract; absent: no links. */
  readonly contractAddress?: (contractId: string) => string;
}

export function Positions({ entity, contractAddress }: PositionsProps) {
  const { positions, total, totals, note } = entity;
  return (
    <div class="positions">
      <PositionTotalsRow entity={entity} />
      {total === 0
        ? (
          <EmptyState title="No positions">
            {totals.settled.contracts > 0
              ? `${count(totals.settled.contracts)} contracts it traded have been settled and left the market.`
              : "It has not traded a contract of the market."}
          </EmptyState>
        )
        : <PositionTable positions={positions} contractAddress={contractAddress} />}
      {total > positions.length && (
        <p class="positions-note">{count(positions.length)} of {count(total)} contracts, earliest delivery first.</p>
      )}
      {note !== undefined && <p class="positions-note">{note}</p>}
    </div>
  );
}

function PositionTotalsRow({ entity: { totals } }: { readonly entity: PositionsResult }) {
  const { settled } = totals;
  return (
    <Stats>
      <Stat label="Profit, $">
        <Delta value={totals.profit} />
      </Stat>
      <Stat label="Realised, $" note={settled.contracts > 0 ? `of it ${signed(settled.profit)} settled` : undefined}>
        {signed(totals.realisedProfit)}
      </Stat>
      <Stat label="Unrealised, $">{signed(totals.unrealisedProfit)}</Stat>
      <Stat label="Cash, $">{wholeMoney(totals.cash)}</Stat>
      <Stat label="Net energy, MWh">{signedQuantity(totals.netEnergy)}</Stat>
      {totals.netQuantity !== null && <Stat label="Net quantity, MW">{signedQuantity(totals.netQuantity)}</Stat>}
      <Stat label="Used credit, $">
        {totals.creditUsed === null ? <span class="positions-hidden">hidden</span> : wholeMoney(totals.creditUsed)}
      </Stat>
    </Stats>
  );
}

type Column =
  | "contractId"
  | "netQuantity"
  | "netEnergy"
  | "averagePrice"
  | "mark"
  | "cash"
  | "realisedProfit"
  | "unrealisedProfit"
  | "profit"
  | "creditUsed";

/** What people look for first comes first: a narrow table shows no more without scrolling. */
const COLUMNS: readonly (readonly [column: Column, heading: string, title?: string])[] = [
  ["netQuantity", "Net, MW", "Bought less sold"],
  ["netEnergy", "Net, MWh"],
  ["profit", "Profit, $"],
  ["averagePrice", "Average, $/MWh", "Price at which the open position was entered"],
  ["mark", "Mark, $/MWh", "What values the position"],
  ["cash", "Cash, $"],
  ["realisedProfit", "Realised, $", "Of what was bought and sold again, or delivered"],
  ["unrealisedProfit", "Unrealised, $", "Of the open position, at its mark"],
  ["creditUsed", "Credit, $", "Gross notional of open trades"],
];

/** As the tool gives them: the earliest delivery first. */
const AS_GIVEN: Sorting<Column | "given"> = { column: "given", descending: false };

interface PositionTableProps extends Pick<PositionsProps, "contractAddress"> {
  readonly positions: readonly PositionRow[];
}

function PositionTable({ positions, contractAddress }: PositionTableProps) {
  const { sorting, sortBy } = useSorting<Column | "given">(AS_GIVEN);
  const rows = useMemo(
    () => sorted(positions, sorting, (row, column) => column === "given" ? 0 : row[column]),
    [positions, sorting],
  );
  const most = Math.max(1, ...positions.map(({ netQuantity }) => Math.abs(netQuantity)));
  return (
    <TableBox label="Positions by contract" maxHeight="70vh">
      <table class="data-table">
        <thead>
          <tr>
            <SortHead column="contractId" sorting={sorting} sortBy={sortBy}>Contract</SortHead>
            <NumberHeads columns={COLUMNS} sorting={sorting} sortBy={sortBy} />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.contractId}>
              <th scope="row">
                <Linked href={contractAddress?.(row.contractId)}>{row.contractId}</Linked>
              </th>
              <td
                class="number"
                title={`bought ${quantity(row.boughtQuantity)}, sold ${quantity(row.soldQuantity)} MW`}
              >
                <QuantityBar quantity={row.netQuantity} most={most} />
                <span class="positions-quantity">{signedQuantity(row.netQuantity)}</span>
              </td>
              <td class="number">{signedQuantity(row.netEnergy)}</td>
              <td class="number">
                <Delta value={row.profit} />
              </td>
              <td class="number">{price(row.averagePrice)}</td>
              <td class="number" data-value={price(row.mark)}>
                {price(row.mark)} <span class="positions-source">{row.markSource}</span>
              </td>
              <td class="number">{money(row.cash)}</td>
              <td class="number">{signed(row.realisedProfit)}</td>
              <td class="number">{signed(row.unrealisedProfit)}</td>
              <td class="number">{money(row.creditUsed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

/** To the right: bought more than sold. */
function QuantityBar({ quantity, most }: { readonly quantity: number; readonly most: number }) {
  const share = `${Math.abs(quantity) / most * 50}%`;
  return (
    <span class="positions-bar" aria-hidden="true">
      <span class={quantity < 0 ? "positions-short" : "positions-long"} style={{ width: share }} />
    </span>
  );
}

function Linked({ href, children }: { readonly href: string | undefined; readonly children: ComponentChildren }) {
  return href === undefined ? <span class="name">{children}</span> : <a class="name" href={href}>{children}</a>;
}
