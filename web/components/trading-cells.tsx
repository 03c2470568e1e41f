// What a persona or a strategy did, as cells of a table: orders, open orders, trades, profit.

import type { TradingRow } from "../contract/tool-results.ts";
import { Delta } from "./delta.tsx";
import { count } from "./format.ts";
import "./profit-bar.css";

interface TradingCellsProps {
  readonly row: TradingRow;
  /** The greatest profit or loss of the table, dollars. */
  readonly most: number;
}

export function TradingCells({ row, most }: TradingCellsProps) {
  return (
    <>
      <td class="number">{count(row.orders)}</td>
      <td class="number">{count(row.workingOrders)}</td>
      <td class="number">{count(row.trades)}</td>
      <td class="number">
        <ProfitBar value={row.profitAndLoss} most={most} />
        <Delta value={row.profitAndLoss} />
      </td>
    </>
  );
}

/** A profit as a bar beside its number: right of the middle gained, left lost. */
function ProfitBar({ value, most }: { readonly value: number; readonly most: number }) {
  const width = `${Math.abs(value) / Math.max(1, most) * 50}%`;
  return (
    <span class="profit-bar" aria-hidden="true">
      <span class={value < 0 ? "profit-bar-loss" : "profit-bar-gain"} style={{ width }} />
    </span>
  );
}
