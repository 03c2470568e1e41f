// A contract as it was: its book, the trades until then, the spot price at its node, and the position of an entity. Nothing in
// it can be operated on the market.

import { useEffect } from "preact/hooks";
import { DepthChart } from "../../../components/depth-chart.tsx";
import { Field } from "../../../components/field.tsx";
import { count, price, signedQuantity } from "../../../components/format.ts";
import { EmptyState, ErrorNote, Skeleton } from "../../../components/notices.tsx";
import { OrderLadder } from "../../../components/order-book.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Stat, Stats } from "../../../components/stat.tsx";
import { time } from "../../../components/time-format.ts";
import { TradeTape } from "../../../components/trade-tape.tsx";
import type { History } from "../../../contract/calls.ts";
import { BOOK_DEPTH } from "../../../contract/market.ts";
import type { SpotResult } from "../../../contract/tool-results.ts";
import { entities, loadEntities } from "../../live/entity-names.ts";
import { market } from "../../live/market-store.ts";
import { usePolled } from "../../live/polled.ts";
import { readTool, send } from "../../live/server.ts";
import { Unknown } from "./go-back.tsx";
import { spotThen } from "./market-then.ts";
import { marketOf, type Then } from "./use-then.ts";

/** The most that the server gives. */
const TRADES = 5_000;
/** The simulator keeps so many hours of spot prices. */
const SPOT_HOURS = 168;

interface ContractThenProps {
  readonly contractId: string;
  /** Undefined: unknown. */
  readonly node: string | undefined;
  readonly timezone: string;
  readonly at: number;
  readonly then: Then;
  /** Whose position is shown; null: nobody's. */
  readonly entityId: string | null;
  readonly onEntity: (entityId: string | null) => void;
}

export function ContractThen(props: ContractThenProps) {
  const { contractId, at, then, timezone } = props;
  const past = then.reader.at(at, marketOf);
  const known = past === null ? null : { ...past, book: past.books.get(contractId) ?? { bids: [], asks: [] } };
  const last = known?.lastPrices.get(contractId);
  return (
    <>
      <Stats>
        <Stat
          label="Last, $/MWh"
          note={known === null ? "not known" : LAST[String(last)] ?? "of the last trade until then"}
        >
          {price(last)}
        </Stat>
        <Spot {...props} />
        <Stat label="Market">{known?.status ?? "–"}</Stat>
        <Position {...props} net={known?.net ?? null} />
      </Stats>
      <div class="then-panels">
        <div class="then-column">
          <Panel flush title="Order book, MW">
            {known === null ? <Unknown at={at} then={then} timezone={timezone} /> : (
              <>
                <OrderLadder book={known.book} lastPrice={last ?? null} depth={BOOK_DEPTH} />
                <Left unsure={known.unsure.length} held={known.held} />
              </>
            )}
          </Panel>
          {known !== null && (
            <Panel flush title="Depth">
              <DepthChart book={known.book} />
            </Panel>
          )}
        </div>
        <Trades {...props} />
      </div>
    </>
  );
}

const LAST: Readonly<Record<string, string>> = {
  null: "older than what is known, or none",
  undefined: "no trades until then",
};

/** What is not in the book. */
export function Left({ unsure, held }: { readonly unsure: number; readonly held: number }) {
  const notes = [
    held > 0 ? `${orders(held)} waited until the market opened.` : null,
    unsure > 0 ? `${orders(unsure)} left out: it is unknown whether they waited or were in the book.` : null,
  ].filter((note) => note !== null);
  return notes.length === 0 ? null : <p class="then-note">{notes.join(" ")}</p>;
}

function orders(number: number): string {
  return number === 1 ? "1 order" : `${count(number)} orders`;
}

function Spot({ node, at, then, timezone }: ContractThenProps) {
  const { value } = usePolled(
    (signal) => readTool<SpotResult>("mkt_sim_get_spot_prices", { hours: SPOT_HOURS }, signal),
    String(then.reader.present),
    null,
  );
  const known = value?.nodes.find((each) => each.node === node);
  const spot = known === undefined ? null : spotThen(at, known);
  const note = spot === null
    ? known === undefined ? "not known" : "not known so far back"
    : `of ${time(spot.time, timezone)}, ${spot.regime}`;
  return <Stat label={`Spot${node === undefined ? "" : ` at ${node}`}, $/MWh`} note={note}>{price(spot?.price)}</Stat>;
}

function Position({ net, entityId, onEntity }: ContractThenProps & { readonly net: number | null }) {
  useEffect(() => void loadEntities().catch(() => {}), []);
  const known = entities.value ?? [];
  const own = market.connection.value?.entityId ?? null;
  const ids = new Set([...(own === null ? [] : [own]), ...known.map(({ id }) => id)]);
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return (
    <Stat
      label="Position, MW"
      note={
        <Field label="of">
          <select value={entityId ?? ""} onChange={({ currentTarget }) => onEntity(currentTarget.value || null)}>
            <option value="">nobody</option>
            {[...ids].map((id) => <option key={id} value={id}>{names.get(id) ?? id}</option>)}
          </select>
        </Field>
      }
    >
      {net === null ? entityId === null ? "–" : "not known" : signedQuantity(net)}
    </Stat>
  );
}

function Trades({ contractId, at, then, timezone }: ContractThenProps) {
  const { present } = then.reader;
  const { value, error, reload } = usePolled(
    async (signal) => {
      const path = `/dashboard/history/${encodeURIComponent(contractId)}?trades=${TRADES}`;
      return await send("GET", path, undefined, signal) as History;
    },
    `${contractId} ${present} ${market.connection.value?.userId}`,
    null,
  );
  if (error !== null) return <ErrorNote report={error} onRetry={reload} />;
  if (value === null) return <Skeleton label="Reading the trades" />;
  const { trades, isComplete } = value;
  const until = trades.filter((trade) => Date.parse(trade.time) <= at).reverse();
  if (until.length === 0 && !isComplete) {
    const since = trades[0] === undefined ? "" : ` They are known since ${time(trades[0].time, timezone, "dateTime")}.`;
    return (
      <Panel title="Trades">
        <EmptyState title="Trades until then are not known">
          {`The market keeps its newest trades, as far as you may see them.${since}`}
        </EmptyState>
      </Panel>
    );
  }
  return <TradeTape isPast trades={until} timezone={timezone} empty="No trades until then." />;
}
