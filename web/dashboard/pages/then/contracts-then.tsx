// The best prices of all contracts as they were, the spot prices, and the positions of an entity. Each row leads to its
// contract at the same time.

import { useRef } from "preact/hooks";
import { count, price, quantity, signedQuantity } from "../../../components/format.ts";
import { Spacer, useRowsOnPage } from "../../../components/long-table.tsx";
import { EmptyState } from "../../../components/notices.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Stat, Stats } from "../../../components/stat.tsx";
import type { Level } from "../../../contract/market.ts";
import { contractIds, contractLabel, contractSignal } from "../../live/listed-contracts.ts";
import { type Grid, plainNumber } from "../../take-along/csv.ts";
import { GridTools } from "../../take-along/table-tools.tsx";
import { Left } from "./contract-then.tsx";
import { EntityChoice, Spot, useSpots } from "./figures-then.tsx";
import { Unknown } from "./go-back.tsx";
import { netIn } from "./market-then.ts";
import { contractAddressAt } from "./time-shown.ts";
import { marketOf, type Then } from "./use-then.ts";

/** CSS pixels. */
const ROW_HEIGHT = 26;
const PRICES = ["Contract", "Bid, $/MWh", "Bid, MW", "Ask, $/MWh", "Ask, MW", "Last, $/MWh"] as const;
/** The last column is there only if an entity is chosen. */
const POSITION = "Position, MW";

interface Row {
  readonly id: string;
  readonly bid: Level | undefined;
  readonly ask: Level | undefined;
  /** Null: unknown. Undefined: the contract had not traded. */
  readonly last: number | null | undefined;
  /** MW that the entity had bought, less what it had sold. Null: unknown. Undefined: nobody's is asked for. */
  readonly net: number | null | undefined;
}

interface ContractsThenProps {
  readonly at: number;
  readonly then: Then;
  readonly timezone: string;
  /** Whose positions are shown; null: nobody's. */
  readonly entityId: string | null;
  readonly onEntity: (entityId: string | null) => void;
}

export function ContractsThen(props: ContractsThenProps) {
  const { at, then, timezone, entityId, onEntity } = props;
  const past = then.reader.at(at, marketOf);
  const nets = past?.nets ?? null;
  /** A contract that was delivered since is no longer among the positions. */
  const netOf = (id: string) => contractSignal(id) === undefined ? null : netIn(nets, id);
  const open = [...nets?.keys() ?? []].filter((id) => netOf(id) !== 0 && contractSignal(id) !== undefined);
  const unknown = open.filter((id) => netOf(id) === null).length;
  return (
    <>
      <Stats>
        {useSpots(then)?.map((each) => (
          <Spot key={each.node} known={each} node={each.node} at={at} timezone={timezone} />
        ))}
        <Stat label="Listed contracts with a position" note={<EntityChoice entityId={entityId} onEntity={onEntity} />}>
          {entityId === null ? "–" : nets === null ? "not known" : [
            count(open.length - unknown),
            ...(unknown > 0 ? [`${count(unknown)} unknown`] : []),
          ].join(", ")}
        </Stat>
      </Stats>
      <Contracts
        {...props}
        past={past}
        open={open}
        netOf={(id) =>
          entityId === null ? undefined : netOf(id)}
      />
    </>
  );
}

interface ContractsProps extends ContractsThenProps {
  readonly past: ReturnType<Then["reader"]["at"]>;
  /** Contracts of which the entity had a position. */
  readonly open: readonly string[];
  readonly netOf: (contractId: string) => Row["net"];
}

function Contracts({ at, then, timezone, past, open, netOf }: ContractsProps) {
  if (past === null) {
    return (
      <Panel title="Contracts">
        <Unknown at={at} then={then} timezone={timezone} />
      </Panel>
    );
  }
  const { books, lastPrices, unsure, held } = past;
  const rows = ordered(new Set([...books.keys(), ...lastPrices.keys(), ...open])).map((id): Row => {
    const { bids: [bid] = [], asks: [ask] = [] } = books.get(id) ?? {};
    return { id, bid, ask, last: lastPrices.get(id), net: netOf(id) };
  });
  if (rows.length === 0 && unsure.length === 0) {
    return <EmptyState title="No contract had orders or trades then" />;
  }
  return (
    <>
      <Panel flush title={`Contracts with orders, trades or a position: ${count(rows.length)}`} actions="$/MWh, MW">
        <Table rows={rows} at={at} />
        <Left unsure={unsure.length} held={held} />
      </Panel>
      <GridTools label="Contracts as they were" grid={() => gridOf(rows)} />
    </>
  );
}

/** By node and delivery, then those that are no longer listed. */
function ordered(ids: ReadonlySet<string>): string[] {
  const rows = contractIds.value.filter((id) => ids.has(id)).map((id) => contractSignal(id)!.peek());
  const listed = rows.sort((a, b) =>
    a.node < b.node ? -1 : a.node > b.node ? 1 : Date.parse(a.deliveryStart) - Date.parse(b.deliveryStart) ||
      Date.parse(a.deliveryEnd) - Date.parse(b.deliveryEnd)
  ).map(({ contractId }) => contractId);
  return [...listed, ...[...ids].filter((id) => contractSignal(id) === undefined).sort()];
}

function Table({ rows, at }: { readonly rows: readonly Row[]; readonly at: number }) {
  const box = useRef<HTMLDivElement>(null);
  const { first, last, height } = useRowsOnPage(box, rows.length, ROW_HEIGHT);
  return (
    <div ref={box} class="table-box then-contracts" role="region" aria-label="Table of contracts" tabIndex={0}>
      <table class="data-table" aria-label="Contracts as they were" aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {headingsOf(rows).map((heading, index) => (
              <th key={heading} scope="col" class={index === 0 ? undefined : "number"} title={heading}>
                {heading.replace(", $/MWh", "")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer rows={first} rowHeight={height} />
          {rows.slice(first, last).map((row, index) => (
            <tr key={row.id} aria-rowindex={first + index + 2}>
              <th scope="row">
                <a class="name" href={contractAddressAt(row.id, at)} title={row.id}>{contractLabel(row.id)}</a>
              </th>
              {cellsOf(row).map((cell, index) => <td key={index} class="number">{cell}</td>)}
            </tr>
          ))}
          <Spacer rows={rows.length - last} rowHeight={height} />
        </tbody>
      </table>
    </div>
  );
}

function headingsOf([first]: readonly Row[]): string[] {
  return first?.net === undefined ? [...PRICES] : [...PRICES, POSITION];
}

function cellsOf({ bid, ask, last, net }: Row): string[] {
  const level = (given: Level | undefined) => [price(given?.price), given === undefined ? "" : quantity(given.volume)];
  const position = net === undefined ? [] : [net === null ? "unknown" : signedQuantity(net)];
  return [...level(bid), ...level(ask), last === null ? "unknown" : price(last), ...position];
}

function gridOf(rows: readonly Row[]): Grid {
  const plain = (row: Row) => cellsOf(row).map((cell) => plainNumber(cell) ?? "");
  return { headings: headingsOf(rows), rows: rows.map((row) => [contractLabel(row.id), ...plain(row)]) };
}
