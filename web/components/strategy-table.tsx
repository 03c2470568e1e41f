// What each strategy of a simulation did. A strategy can be chosen, to see only its personas.

import { useMemo } from "preact/hooks";
import type { StrategyRow } from "../contract/tool-results.ts";
import { Delta } from "./delta.tsx";
import { count } from "./format.ts";
import { NumberHeads, sorted, SortHead, useSorting } from "./sorting.tsx";
import { TableBox } from "./table-box.tsx";
import { TradingCells } from "./trading-cells.tsx";

type Column = keyof StrategyRow | "each";

const COLUMNS: readonly (readonly [column: Column, heading: string, title?: string])[] = [
  ["personas", "Personas"],
  ["orders", "Orders"],
  ["workingOrders", "Open"],
  ["trades", "Trades"],
  ["profitAndLoss", "Profit, $", "Cash and the value of positions"],
  ["each", "Per persona, $"],
];

interface StrategyTableProps {
  readonly strategies: readonly StrategyRow[];
  readonly chosen: string | null;
  readonly onChoose: (strategy: string | null) => void;
}

export function StrategyTable({ strategies, chosen, onChoose }: StrategyTableProps) {
  const { sorting, sortBy } = useSorting<Column>({ column: "profitAndLoss", descending: true }, "strategies");
  const rows = useMemo(
    () =>
      sorted(strategies, sorting, (row, column) => column === "each" ? row.profitAndLoss / row.personas : row[column]),
    [strategies, sorting],
  );
  const most = Math.max(...strategies.map(({ profitAndLoss }) => Math.abs(profitAndLoss)));
  return (
    <TableBox label="Strategies">
      <table class="data-table">
        <thead>
          <tr>
            <SortHead column="strategy" sorting={sorting} sortBy={sortBy}>Strategy</SortHead>
            <NumberHeads columns={COLUMNS} sorting={sorting} sortBy={sortBy} />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.strategy} aria-selected={row.strategy === chosen}>
              <th scope="row">
                <button
                  type="button"
                  class="simulation-choose name"
                  aria-pressed={row.strategy === chosen}
                  title="Show only its personas"
                  onClick={() => onChoose(row.strategy === chosen ? null : row.strategy)}
                >
                  {row.strategy}
                </button>
              </th>
              <td class="number">{count(row.personas)}</td>
              <TradingCells row={row} most={most} />
              <td class="number">
                <Delta value={row.profitAndLoss / row.personas} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
