// A contract as it was: its book, the trades until then, the spot price at its node, and the position of an entity. Nothing in
// it can be operated on the market.

import { DepthChart } from "../../../components/depth-chart.tsx";
import { count, price, signedQuantity } from "../../../components/format.ts";
import { EmptyState, ErrorNote, Skeleton } from "../../../components/notices.tsx";
import { OrderLadder } from "../../../components/order-book.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Stat, Stats } from "../../../components/stat.tsx";
import { time } from "../../../components/time-format.ts";
import { TradeTape } from "../../../components/trade-tape.tsx";
import type { History } from "../../../contract/calls.ts";
import { BOOK_DEPTH } from "../../../contract/market.ts";
import { market } from "../../live/market-store.ts";
import { usePolled } from "../../live/polled.ts";
import { send } from "../../live/server.ts";
import { EntityChoice, Spot, useSpots } from "./figures-then.tsx";
import { Unknown } from "./go-back.tsx";
import { netIn } from "./market-then.ts";
import { marketOf, type Then } from "./use-then.ts";

/** The most that the server gives. */
const TRADES = 5_000;

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
  const { contractId, node, at, then, timezone, entityId, onEntity } = props;
  const past = then.reader.at(at, marketOf);
  const known = past === null ? null : { ...past, book: past.books.get(contractId) ?? { bids: [], asks: [] } };
  const last = known?.lastPrices.get(contractId);
  const net = netIn(known?.nets ?? null, contractId);
  const spots = useSpots(then);
  const spot = spots?.find((each) => each.node === node);
  return (
    <>
      <Stats>
        <Stat
          label="Last, $/MWh"
          note={known === null ? "not known" : LAST[String(last)] ?? "of the last trade until then"}
        >
          {price(last)}
        </Stat>
        <Spot known={spot} node={node} at={at} timezone={timezone} />
        <Stat label="Market">{known?.status ?? "–"}</Stat>
        <Stat label="Position, MW" note={<EntityChoice entityId={entityId} onEntity={onEntity} />}>
          {entityId === null ? "–" : net === null ? "not known" : signedQuantity(net)}
        </Stat>
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
