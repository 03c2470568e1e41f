// All listed contracts by node and delivery: best prices, last price, volume, spark line; live, or the prices as they were.

import { useEffect, useMemo, useState } from "preact/hooks";
import { Button } from "../../../components/button.tsx";
import { Choice } from "../../../components/choice.tsx";
import { count, quantity } from "../../../components/format.ts";
import { crossing } from "../../../components/ladder.ts";
import { EmptyState, Skeleton } from "../../../components/notices.tsx";
import { Panel } from "../../../components/panel.tsx";
import { inAddress } from "../../address/address-state.ts";
import { isAwaited } from "../../live/liveness.ts";
import { contractIds, contractSignal } from "../../live/listed-contracts.ts";
import { timezone, timezones } from "../../live/market-clock.ts";
import { market } from "../../live/market-store.ts";
import { startSparks } from "../../live/sparks.ts";
import { GridTools } from "../../take-along/table-tools.tsx";
import { FILTER_IN_ADDRESS } from "./contract-address.ts";
import { contractGrid } from "./contract-grid.ts";
import { type ContractFilter, groupContracts, type NodeGroups } from "./contract-groups.ts";
import { BY_DELIVERY } from "./contract-order.ts";
import { ContractTable } from "./contract-table.tsx";
import "./contracts.css";
import { keepSorted, listedContract, sort, sorted } from "./shown-order.ts";
import { PageHead } from "../page-head.tsx";
import type { PageProps } from "../page.ts";
import { ContractsThen } from "../then/contracts-then.tsx";
import { GoBack } from "../then/go-back.tsx";
import { marketTime, useTimeShown } from "../then/time-shown.ts";
import { useThen } from "../then/use-then.ts";

const NO_FILTER: ContractFilter = { text: "", node: "", kind: "" };

const filter = inAddress("market", FILTER_IN_ADDRESS);

export default function Contracts(_: PageProps) {
  useEffect(startSparks, []);
  const at = useTimeShown(marketTime);
  const [entityId, setEntity] = useState(market.connection.peek()?.entityId ?? null);
  const then = useThen(at, { contractId: null, entityId });
  const isLive = at === null || then === null;
  return (
    <div class="page contracts">
      <PageHead title="Market">{isLive && <Totals />}</PageHead>
      {(contractIds.value.length > 0 || !isLive) && (
        <GoBack shown={marketTime} at={at} then={then} timezone={timezone.value} />
      )}
      {isLive
        ? <Content />
        : <ContractsThen at={at} then={then} timezone={timezone.value} entityId={entityId} onEntity={setEntity} />}
    </div>
  );
}

function Content() {
  const hasContracts = contractIds.value.length > 0;
  if (!market.isKnown.value || isAwaited.value) {
    return <Skeleton label="The contracts are on their way" lines={12} />;
  }
  if (!hasContracts) {
    return market.connection.value?.status === "connected"
      ? <EmptyState title="No contracts are listed">The market lists its next ones by itself.</EmptyState>
      : (
        <EmptyState title="The market is not connected">
          The contracts appear once this server has connected to the market.
        </EmptyState>
      );
  }
  return (
    <>
      <Tools />
      <Groups />
    </>
  );
}

function Tools() {
  const nodes = [...new Set(contractIds.value.map((id) => contractSignal(id)!.peek().node))].sort();
  const { text, node, kind } = filter.value;
  const change = (part: Partial<ContractFilter>) => void (filter.value = { ...filter.value, ...part });
  return (
    <div class="contracts-tools">
      <input
        type="search"
        aria-label="Filter contracts by name, product or id"
        placeholder="Filter: hour 22, peak, Dec …"
        value={text}
        onInput={({ currentTarget }) => change({ text: currentTarget.value })}
      />
      {nodes.length > 1 && (
        <Choice
          label="Node"
          options={[["", "All nodes"], ...nodes.map((node) => [node, <bdi key={node}>{node}</bdi>] as const)]}
          value={node}
          onChange={(node) => change({ node })}
        />
      )}
      <Choice
        label="Delivery"
        options={[["", "All"], ["hours", "Hours"], ["days", "Days, weeks"], ["months", "Months, years"]]}
        value={kind}
        onChange={(kind) => change({ kind })}
      />
      <SortState />
    </div>
  );
}

function SortState() {
  const { key, isDescending } = sort.value;
  if (key === "delivery" && !isDescending) return null;
  return (
    <Button small kind="quiet" icon="close" onClick={() => void (sort.value = BY_DELIVERY)}>
      Sorted by {key}, {isDescending ? "highest" : "lowest"} first
    </Button>
  );
}

function Groups() {
  const ids = contractIds.value;
  const zones = timezones.value;
  useEffect(keepSorted, []);
  const nodes = useMemo(() => {
    return groupContracts(ids.flatMap((id) => listedContract(id) ?? []), filter.value);
  }, [ids, zones, filter.value]);
  if (nodes.length === 0) {
    return (
      <EmptyState title="No contract matches the filter">
        <Button onClick={() => void (filter.value = NO_FILTER)}>Show all contracts</Button>
      </EmptyState>
    );
  }
  return (
    <>
      <div class="contracts-nodes">{nodes.map((groups) => <Node key={groups.node} {...groups} />)}</div>
      <GridTools label="Contracts" grid={() => contractGrid(nodes, sorted)} />
    </>
  );
}

function Node({ node, hours, longer }: NodeGroups) {
  const columns = [hours, longer].filter((groups) => groups.length > 0);
  return (
    <section class="contracts-node" aria-label={`Node ${node}`}>
      {columns.map((groups, index) => (
        <div key={index} class="contracts-column">
          {groups.map((group) => (
            <Panel
              key={group.key}
              flush
              class="contracts-group"
              actions="$/MWh"
              title={
                <>
                  <bdi>{node}</bdi> {group.title}
                </>
              }
            >
              <ContractTable node={node} group={group} />
            </Panel>
          ))}
        </div>
      ))}
    </section>
  );
}

function Totals() {
  // Nobody knows yet that there are none.
  if (market.connection.value?.status !== "connected" && contractIds.value.length === 0) return null;
  const rows = [...market.contracts.value.values()];
  const traded = rows.filter(({ tradedQuantity }) => tradedQuantity > 0);
  const crossed = rows.filter(({ bestBid, bestAsk }) => crossing(bestBid, bestAsk) === "crossed").length;
  // Energy: MW of an hour and of a year can't be added.
  const volume = traded.reduce((sum, { tradedQuantity, hours }) => sum + tradedQuantity * hours, 0);
  const orders = rows.reduce((sum, { workingOrders }) => sum + workingOrders, 0);
  return (
    <p class="contracts-totals">
      <span>
        <b>{count(rows.length)}</b> contracts
      </span>
      <span>
        <b>{count(traded.length)}</b> traded
      </span>
      <span>
        <b>{quantity(Math.round(volume))}</b> MWh traded
      </span>
      <span>
        <b>{count(orders)}</b> orders
      </span>
      {crossed > 0 && (
        <span class="contracts-crossed">
          <b>{count(crossed)}</b> crossed
        </span>
      )}
    </p>
  );
}
