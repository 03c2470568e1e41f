// All entities with their positions and profit, or one entity. Positions are read lazily, a few at a time, and again after a
// fill.

import { computed } from "@preact/signals";
import { Badge } from "../../components/badge.tsx";
import { Delta } from "../../components/delta.tsx";
import { count, NONE, signedQuantity, wholeMoney } from "../../components/format.ts";
import { EmptyState, ErrorNote, Skeleton } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { sorted, SortHead, useSorting } from "../../components/sorting.tsx";
import { TableBox } from "../../components/table-box.tsx";
import type { EntityRow, PositionTotals } from "../../contract/tool-results.ts";
import { useAddressed } from "../address/address-state.ts";
import { entities, loadEntities } from "../live/entity-names.ts";
import { type EntityTotals, isPassing, useEntityTotals } from "../live/entity-totals.ts";
import { market } from "../live/market-store.ts";
import { usePolled } from "../live/polled.ts";
import { CreditStatus } from "./credit-status.tsx";
import { Entity } from "./entity.tsx";
import "./entities.css";
import { PageHead } from "./page-head.tsx";
import { address, type PageProps } from "./page.ts";

/** The list itself changes seldom. */
const LIST_MS = 15_000;

export default function Entities({ argument }: PageProps) {
  return argument === "" ? <EntityList /> : <Entity key={argument} entityId={argument} />;
}

/** Whose positions the acting user may see; null: everybody's, or nobody acts yet. */
const visibleEntity = computed(() => {
  const { userId = null, entityId = null, permissions = [] } = market.connection.value ?? {};
  return userId === null || permissions.includes("Scope.Global") ? null : entityId ?? "";
});

function EntityList() {
  const { error, reload } = usePolled(() => loadEntities(), "entities", LIST_MS);
  const [search, setSearch] = useAddressed("text", "");
  const rows = entities.value;
  const own = visibleEntity.value;
  const mayAsk = market.connection.value?.status === "connected";
  const wanted = mayAsk && rows !== null ? rows.map(({ id }) => id).filter((id) => own === null || id === own) : [];
  const totals = useEntityTotals(wanted);
  const problem = error ?? [...totals.values()].find(isPassing)?.report ?? null;
  return (
    <div class="page">
      <PageHead title="Entities">
        <input
          type="search"
          class="entities-search"
          aria-label="Search entities by name or id"
          placeholder="Search name, id"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </PageHead>
      {problem !== null && <ErrorNote report={problem} onRetry={reload} />}
      {own !== null && (
        <p class="entities-note">
          {own === ""
            ? "You act for no entity, and see no positions: those of an entity are visible to its users, or with Scope.Global."
            : "You see the positions of your own entity only: those of others need the permission Scope.Global."}
        </p>
      )}
      {rows === null
        ? error === null && <Skeleton label="Reading the entities" />
        : <EntityTable rows={matching(rows, search)} totals={totals} own={own} />}
    </div>
  );
}

function matching(rows: readonly EntityRow[], search: string): readonly EntityRow[] {
  const word = search.trim().toLowerCase();
  return word === "" ? rows : rows.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(word));
}

function usersOf({ userIds, usersLeftOut = 0 }: EntityRow): number {
  return userIds.length + usersLeftOut;
}

type Column = "name" | "netEnergy" | "cash" | "profit" | "creditUsed" | "creditStatus" | "users";

interface EntityTableProps {
  readonly rows: readonly EntityRow[];
  readonly totals: ReadonlyMap<string, EntityTotals>;
  readonly own: string | null;
}

function EntityTable({ rows, totals, own }: EntityTableProps) {
  const { sorting, sortBy } = useSorting<Column>({ column: "profit", descending: true });
  const shown = sorted(rows, sorting, (row, column) => {
    if (column === "name" || column === "creditStatus") return row[column];
    if (column === "users") return usersOf(row);
    const known = totals.get(row.id);
    return known?.kind === "totals" ? known.totals[column] : null;
  });
  const loaded = rows.filter(({ id }) => totals.get(id)?.kind === "totals").length;
  const head = { sorting, sortBy };
  if (rows.length === 0) {
    return (
      <Panel title="Entities">
        <EmptyState title="No entity has this name" />
      </Panel>
    );
  }
  return (
    <Panel title={`${count(rows.length)} entities`} actions={`${count(loaded)} with positions`} flush>
      <TableBox label="Entities" maxHeight="calc(100dvh - 150px)">
        <table class="data-table entities-table">
          <thead>
            <tr>
              <SortHead column="name" {...head}>Entity</SortHead>
              <SortHead column="profit" {...head} number>Profit, $</SortHead>
              <SortHead column="netEnergy" {...head} number title="Bought less sold, over all contracts">
                Net, MWh
              </SortHead>
              <SortHead column="cash" {...head} number title="Received for what it sold, less paid for what it bought">
                Cash, $
              </SortHead>
              <SortHead column="creditUsed" {...head} number title="Gross notional of open trades">
                Used credit, $
              </SortHead>
              <SortHead column="creditStatus" {...head}>Credit</SortHead>
              <SortHead column="users" {...head} number>Users</SortHead>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={row.id} row={row} known={totals.get(row.id)} isHidden={own !== null && own !== row.id} />
            ))}
          </tbody>
        </table>
      </TableBox>
    </Panel>
  );
}

interface RowProps {
  readonly row: EntityRow;
  readonly known: EntityTotals | undefined;
  readonly isHidden: boolean;
}

function Row({ row, known, isHidden }: RowProps) {
  const isOwn = row.id === market.connection.value?.entityId;
  return (
    <tr class={isOwn ? "entities-own" : undefined}>
      <th scope="row">
        <a class="name" href={address("entities", row.id)}>{row.name}</a>{" "}
        {row.name !== row.id && <span class="entities-id name">{row.id}</span>}
        {isOwn && <Badge tone="info">yours</Badge>}
      </th>
      <Figures known={known} isHidden={isHidden} />
      <td>
        <CreditStatus status={row.creditStatus} />
      </td>
      <td class="number">{count(usersOf(row))}</td>
    </tr>
  );
}

function Figures({ known, isHidden }: Omit<RowProps, "row">) {
  if (known?.kind === "totals") return <TotalsCells totals={known.totals} />;
  const message = known?.report.message;
  // A failure that may pass is said once, above the table.
  const shown = known !== undefined && isPassing(known) ? NONE : message;
  return (
    <td colSpan={4} class="entities-hidden" title={message}>
      {shown ?? (isHidden ? "hidden from you" : "…")}
    </td>
  );
}

function TotalsCells({ totals: { profit, netEnergy, cash, creditUsed } }: { readonly totals: PositionTotals }) {
  return (
    <>
      <td class="number">
        <Delta value={profit} />
      </td>
      <td class="number">{signedQuantity(netEnergy)}</td>
      <td class="number">{wholeMoney(cash)}</td>
      <td class="number">{wholeMoney(creditUsed)}</td>
    </>
  );
}
