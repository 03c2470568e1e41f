// The personas of a simulation, sorted, in pages.

import { useMemo, useState } from "preact/hooks";
import type { PersonaRow, TradingRow } from "../contract/tool-results.ts";
import { Badge } from "./badge.tsx";
import { Button } from "./button.tsx";
import { count } from "./format.ts";
import { EmptyState } from "./notices.tsx";
import { NumberHeads, sorted, SortHead, useSorting } from "./sorting.tsx";
import { TableBox } from "./table-box.tsx";
import { TradingCells } from "./trading-cells.tsx";

/** What to ask mkt_sim_status for (`fields`). */
export const PERSONA_COLUMNS = [
  "strategy",
  "entityId",
  "state",
  "workingOrders",
  "orders",
  "trades",
  "profitAndLoss",
  "stoppedUntil",
] as const;

const PAGE = 25;

type Column = keyof TradingRow | "id" | "entityId";

const NUMBERS: readonly (readonly [column: Column, heading: string, title?: string])[] = [
  ["orders", "Orders"],
  ["workingOrders", "Open"],
  ["trades", "Trades"],
  ["profitAndLoss", "Profit, $"],
];

interface PersonaTableProps {
  readonly personas: readonly PersonaRow[];
  readonly entityAddress?: (entityId: string) => string;
}

export function PersonaTable({ personas, entityAddress }: PersonaTableProps) {
  const { sorting, sortBy } = useSorting<Column>({ column: "profitAndLoss", descending: true }, "personas");
  const [page, setPage] = useState(0);
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(() => sorted(personas, sorting, (row, column) => row[column]), [personas, sorting]);
  const size = isWhole ? rows.length : PAGE;
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const current = Math.min(page, pages - 1);
  const most = Math.max(...personas.map(({ profitAndLoss }) => Math.abs(profitAndLoss)));
  if (personas.length === 0) return <EmptyState title="No personas" />;
  return (
    <>
      <TableBox label="Personas">
        <table class="data-table">
          <thead>
            <tr>
              <SortHead column="id" sorting={sorting} sortBy={sortBy}>Persona</SortHead>
              <SortHead column="strategy" sorting={sorting} sortBy={sortBy}>Strategy</SortHead>
              <SortHead column="entityId" sorting={sorting} sortBy={sortBy}>Entity</SortHead>
              <NumberHeads columns={NUMBERS} sorting={sorting} sortBy={sortBy} />
            </tr>
          </thead>
          <tbody>
            {rows.slice(current * size, (current + 1) * size).map((row) => (
              <Row key={row.id} row={row} most={most} entityAddress={entityAddress} />
            ))}
          </tbody>
        </table>
      </TableBox>
      {pages > 1 && (
        <div class="simulation-pages">
          {count(current * PAGE + 1)} to {count(Math.min(rows.length, (current + 1) * PAGE))} of {count(rows.length)}
          <Button small onClick={() => setPage(Math.max(0, current - 1))}>Previous</Button>
          <Button small onClick={() => setPage(Math.min(pages - 1, current + 1))}>Next</Button>
          <Button small onClick={() => setWhole(true)}>Show all</Button>
        </div>
      )}
    </>
  );
}

interface RowProps extends Pick<PersonaTableProps, "entityAddress"> {
  readonly row: PersonaRow;
  readonly most: number;
}

function Row({ row, most, entityAddress }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <span class="name">{row.id}</span> <State row={row} />
      </th>
      <td class="name">{row.strategy}</td>
      <td>
        {entityAddress === undefined
          ? <span class="name">{row.entityId}</span>
          : <a class="name" href={entityAddress(row.entityId)}>{row.entityId}</a>}
      </td>
      <TradingCells row={row} most={most} />
    </tr>
  );
}

/** What is out of the ordinary. */
function State({ row: { state, fault, stoppedUntil } }: { readonly row: PersonaRow }) {
  if (fault !== undefined) return <Badge tone="danger" icon="alert" title={fault}>faulty: {fault}</Badge>;
  if (typeof stoppedUntil === "string") return <Badge tone="warning" icon="pause">stopped by losses</Badge>;
  return state === undefined || state === "trading" ? null : <Badge>{state}</Badge>;
}
