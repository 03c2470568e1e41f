// One entity: its positions, and its users.

import { useEffect, useRef } from "preact/hooks";
import { Badge } from "../../components/badge.tsx";
import { count } from "../../components/format.ts";
import { ErrorNote, Skeleton } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { Positions } from "../../components/positions.tsx";
import { TableBox } from "../../components/table-box.tsx";
import type { DaySumsResult, EntityRow, PositionsResult } from "../../contract/tool-results.ts";
import { market, onEvents } from "../live/market-store.ts";
import { readAllPages } from "../live/paged-reads.ts";
import { repeat, usePolled } from "../live/polled.ts";
import { readTool } from "../live/server.ts";
import { Time } from "../live/time.tsx";
import { EntityTrading } from "../trade/entity-trading.tsx";
import { CreditStatus } from "./credit-status.tsx";
import { DeliveryDays } from "./delivery-days.tsx";
import { PageHead } from "./page-head.tsx";
import { address, LINKS } from "./page.ts";

/** Contracts of one entity that are shown. */
const MAX_CONTRACTS = 300;
/** The longest time between two reads, in which prices change the profit. */
const QUIET_MS = 10_000;
const AFTER_FILL_MS = 2_000;

interface User {
  readonly id: string;
  readonly name: string;
  readonly connected: boolean;
  readonly permissions: readonly string[];
}

export function Entity({ entityId }: { readonly entityId: string }) {
  const isConnected = market.connection.value?.status === "connected";
  const key = `${entityId} ${isConnected}`;
  const entity = usePolled((signal) => readTool<EntityRow>("mkt_get_entity", { entityId }, signal), key, QUIET_MS);
  const positions = usePolled(
    (signal) =>
      readTool<PositionsResult>("mkt_get_entity", { entityId, positions: true, limit: MAX_CONTRACTS }, signal),
    key,
    QUIET_MS,
  );
  const days = usePolled(
    (signal) => readTool<DaySumsResult>("mkt_get_entity", { entityId, by: "day", limit: MAX_CONTRACTS }, signal),
    key,
    QUIET_MS,
  );
  useReloadAfterTrades(entity.value?.id ?? entityId, () => {
    positions.reload();
    days.reload();
  });
  const users = usePolled(
    (signal) =>
      readAllPages<User>("mkt_list_users", "users", { entityId, fields: ["name", "connected", "permissions"] }, signal),
    key,
    QUIET_MS,
  );
  const { value } = entity;
  return (
    <div class="page">
      <PageHead title={value?.name ?? entityId}>
        {value !== null && (
          <>
            <span class="entities-id name">{value.id}</span>
            <CreditStatus status={value.creditStatus} />
            {value.id === market.connection.value?.entityId && <Badge tone="info">yours</Badge>}
            <a href={address("credit", value.id)}>Whom it can trade with</a>
          </>
        )}
        <a class="entities-back" href={address("entities")}>All entities</a>
      </PageHead>
      {entity.error !== null && <ErrorNote report={entity.error} onRetry={entity.reload} />}
      <Panel
        title="Positions"
        actions={positions.value !== null && (
          <>
            as of <Time value={positions.value.asOf} parts="dateTime" />
          </>
        )}
      >
        {positions.error !== null && <ErrorNote report={positions.error} onRetry={positions.reload} />}
        {positions.value === null
          ? positions.error === null && <Skeleton label="Reading the positions" />
          : <Positions entity={positions.value} contractAddress={(id) => address("contract", id)} />}
      </Panel>
      <EntityTrading entityId={value?.id ?? entityId} {...LINKS} />
      {days.value !== null && days.value.total > 0 && (
        <Panel title="Profit by day of delivery">
          <DeliveryDays result={days.value} />
        </Panel>
      )}
      {days.error !== null && positions.error === null && <ErrorNote report={days.error} onRetry={days.reload} />}
      <Panel title="Users" actions={users.value !== null && count(users.value.length)} flush>
        {users.error !== null && <ErrorNote report={users.error} onRetry={users.reload} />}
        {users.value !== null && <Users users={users.value} />}
      </Panel>
    </div>
  );
}

/** At most once in AFTER_FILL_MS. */
function useReloadAfterTrades(entityId: string, reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    let hasTraded = false;
    const end = onEvents((events) => {
      hasTraded ||= events.some(({ type, data }) =>
        type === "new.trade" && (data["buyEntityId"] === entityId || data["sellEntityId"] === entityId)
      );
    });
    const abort = new AbortController();
    void repeat(abort.signal, AFTER_FILL_MS, () => {
      if (hasTraded) latest.current();
      hasTraded = false;
      return Promise.resolve();
    });
    return () => {
      end();
      abort.abort();
    };
  }, [entityId]);
}

function Users({ users }: { readonly users: readonly User[] }) {
  return (
    <TableBox label="Table of users">
      <table class="data-table">
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Name</th>
            <th scope="col">Connection</th>
            <th scope="col">Permissions</th>
          </tr>
        </thead>
        <tbody>
          {users.map(({ id, name, connected, permissions }) => (
            <tr key={id}>
              <th scope="row" class="name">{id}</th>
              <td class="name">{name}</td>
              <td>
                {connected
                  ? <Badge tone="good" icon="link">connected</Badge>
                  : <Badge icon="unlink">not connected</Badge>}
              </td>
              <td class="wide">{permissions.join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
