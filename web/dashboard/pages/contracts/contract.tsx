// One contract: book, depth, trades, price history; live, or as they were.

import { useEffect, useState } from "preact/hooks";
import { Badge } from "../../../components/badge.tsx";
import { type Interval, INTERVALS } from "../../../components/candles.ts";
import { Choice } from "../../../components/choice.tsx";
import { DepthChart } from "../../../components/depth-chart.tsx";
import { crossing } from "../../../components/ladder.ts";
import { EmptyState, Skeleton } from "../../../components/notices.tsx";
import { OrderLadder } from "../../../components/order-book.tsx";
import { Panel } from "../../../components/panel.tsx";
import { PriceChart } from "../../../components/price-chart.tsx";
import { age } from "../../../components/time-format.ts";
import { TradeTape } from "../../../components/trade-tape.tsx";
import { BOOK_DEPTH } from "../../../contract/market.ts";
import { useAddressed } from "../../address/address-state.ts";
import { useBook } from "../../live/book.ts";
import { type ContractFacts, useContractFacts } from "../../live/contract-facts.ts";
import { WatchButton } from "../../kept/watch-button.tsx";
import { contractIds, contractLabel, contractSignal } from "../../live/listed-contracts.ts";
import { isAwaited } from "../../live/liveness.ts";
import { marketNow, timezoneOf } from "../../live/market-clock.ts";
import { market } from "../../live/market-store.ts";
import { useOwnOrders } from "../../live/own-orders.ts";
import { startSparks } from "../../live/sparks.ts";
import { Time } from "../../live/time.tsx";
import { type TradeFeed, useTrades } from "../../live/trade-feed.ts";
import { ContractTrading } from "../../trade/contract-trading.tsx";
import { Facts, PriceFigures } from "./contract-summary.tsx";
import "./contract.css";
import { PageHead } from "../page-head.tsx";
import { address, LINKS, type PageProps } from "../page.ts";
import { ContractThen } from "../then/contract-then.tsx";
import { GoBack } from "../then/go-back.tsx";
import { contractTime, useTimeShown } from "../then/time-shown.ts";
import { useThen } from "../then/use-then.ts";

export default function Contract({ argument: contractId }: PageProps) {
  const facts = useContractFacts(contractId);
  const isListed = contractIds.value.includes(contractId);
  useEffect(startSparks, []);
  return (
    <div class="page contract">
      <Head contractId={contractId} facts={facts} />
      {isListed || facts?.status === "expired"
        ? <Market contractId={contractId} facts={facts} isListed={isListed} />
        : facts === null
        ? <Unknown contractId={contractId} />
        : <Waiting />}
    </div>
  );
}

interface ContractProps {
  readonly contractId: string;
  readonly facts: ContractFacts | null | undefined;
}

function Head({ contractId, facts }: ContractProps) {
  const row = contractSignal(contractId)?.value;
  const isLive = contractTime.value === null;
  const state = row === undefined || !isLive ? null : crossing(row.bestBid, row.bestAsk);
  return (
    <PageHead title={row === undefined ? facts?.name ?? contractId : contractLabel(contractId)}>
      {state !== null && (
        <Badge tone="warning" icon="alert" title="The best bid is not below the best ask">{state}</Badge>
      )}
      {row !== undefined && (
        <Badge icon="clock">delivery {age(row.deliveryStart, marketNow.value ?? Date.parse(row.deliveryStart))}</Badge>
      )}
      {row !== undefined && <WatchButton contractId={contractId} />}
      <span class="contract-neighbours">
        <Neighbours contractId={contractId} />
      </span>
    </PageHead>
  );
}

/** The contracts of the same product before and after this one. */
function Neighbours({ contractId }: { readonly contractId: string }) {
  void contractIds.value;
  const row = contractSignal(contractId)?.peek();
  if (row === undefined) return <a href={address("market")}>All contracts</a>;
  const same = contractIds.value.map((id) => contractSignal(id)!.peek())
    .filter(({ productId }) => productId === row.productId)
    .sort((a, b) => Date.parse(a.deliveryStart) - Date.parse(b.deliveryStart));
  const index = same.findIndex((other) => other.contractId === contractId);
  const [before, after] = [same[index - 1], same[index + 1]];
  return (
    <>
      {before !== undefined && <a href={address("contract", before.contractId)}>← {contractLabel(before.contractId)}
      </a>}
      {after !== undefined && <a href={address("contract", after.contractId)}>{contractLabel(after.contractId)} →</a>}
    </>
  );
}

interface MarketProps extends ContractProps {
  readonly isListed: boolean;
}

function Market(props: MarketProps) {
  const { contractId, facts, isListed } = props;
  const row = contractSignal(contractId)?.peek();
  const timezone = timezoneOf(row?.marketId ?? facts?.marketId);
  const [entityId, setEntity] = useState(market.connection.peek()?.entityId ?? null);
  const at = useTimeShown(contractTime);
  const then = useThen(at, { contractId, entityId: isListed ? entityId : null });
  return (
    <>
      {!isListed && (
        <p class="contract-over" role="status">
          Delivery has started, so this contract is no longer traded. Below are the trades that the market still knows.
        </p>
      )}
      <GoBack shown={contractTime} at={at} then={then} timezone={timezone} />
      {at === null || then === null ? <Live {...props} /> : (
        <ContractThen
          contractId={contractId}
          node={row?.node}
          timezone={timezone}
          at={at}
          then={then}
          entityId={entityId}
          onEntity={setEntity}
        />
      )}
    </>
  );
}

function Live({ contractId, facts, isListed }: MarketProps) {
  const trades = useTrades(contractId);
  const marketId = contractSignal(contractId)?.value.marketId ?? facts?.marketId;
  return (
    <>
      {isListed && <Figures contractId={contractId} />}
      {facts !== null && facts !== undefined && <Facts facts={facts} />}
      {isListed && <ContractTrading facts={facts} {...LINKS} />}
      <div class={`contract-panels ${isListed ? "" : "contract-panels-over"}`}>
        {isListed && <Book contractId={contractId} marketId={marketId} />}
        <PriceHistory trades={trades} contractId={contractId} marketId={marketId} />
        <Tape trades={trades} marketId={marketId} />
      </div>
    </>
  );
}

function Figures({ contractId }: { readonly contractId: string }) {
  const row = contractSignal(contractId)?.value;
  return row === undefined ? null : <PriceFigures row={row} />;
}

interface OfMarket {
  readonly marketId: string | undefined;
}

function Book({ contractId, marketId }: OfMarket & { readonly contractId: string }) {
  const book = useBook(contractId);
  const own = useOwnOrders(contractId);
  if (book === undefined) {
    return (
      <Panel title="Order book" class="contract-book">
        <Skeleton label="The book is on its way" lines={12} />
      </Panel>
    );
  }
  return (
    <>
      <Panel
        flush
        title="Order book, MW"
        class="contract-book"
        actions={
          <span>
            changed <Time value={book.lastUpdate} marketId={marketId} />
          </span>
        }
      >
        <OrderLadder book={book} lastPrice={book.lastPrice} depth={BOOK_DEPTH} own={own} />
        {own.bids.size + own.asks.size > 0 && <p class="contract-own">◆ own orders</p>}
      </Panel>
      <Panel flush title="Depth" class="contract-depth">
        <DepthChart book={book} />
      </Panel>
    </>
  );
}

interface PriceHistoryProps extends OfMarket {
  readonly trades: TradeFeed;
  readonly contractId: string;
}

function PriceHistory({ trades, contractId, marketId }: PriceHistoryProps) {
  const [given, setInterval] = useAddressed("candles", "5 min");
  const interval = INTERVAL_NAMES.find((name) => name === given) ?? "5 min";
  void trades.version.value;
  const { candles, volumes } = trades.candles(interval);
  return (
    <Panel
      flush
      title="Price history"
      class="contract-prices"
      actions={
        <>
          {!trades.isComplete && (
            <span title="The market keeps its newest trades only">
              older trades are not known
            </span>
          )}
          <Choice
            label="Length of a candle"
            options={INTERVAL_NAMES.map((name) => [name, name] as const)}
            value={interval}
            onChange={setInterval}
          />
        </>
      }
    >
      {trades.state.value === "loaded" && candles.length === 0
        ? <EmptyState title="No trades">The candles begin with the first trade.</EmptyState>
        : (
          <PriceChart
            name={contractLabel(contractId)}
            interval={interval}
            candles={candles}
            volumes={volumes}
            timezone={timezoneOf(marketId)}
            height="clamp(280px, 42vh, 560px)"
          />
        )}
    </Panel>
  );
}

function Tape({ trades, marketId }: OfMarket & { readonly trades: TradeFeed }) {
  void trades.version.value;
  return <TradeTape trades={trades.tape} timezone={timezoneOf(marketId)} empty={EMPTY[trades.state.value]} />;
}

const INTERVAL_NAMES = Object.keys(INTERVALS) as Interval[];

const EMPTY = {
  loading: "The trades are on their way.",
  loaded: "No trades.",
  "unknown contract": "The market knows no trades of this contract.",
  unreachable: "The trades can't be had now; the page goes on trying.",
} as const;

function Unknown({ contractId }: { readonly contractId: string }) {
  return (
    <EmptyState title="No such contract">
      <p>
        The market knows no contract{" "}
        <code class="name">{contractId}</code>: it was delivered long ago, or the address is wrong.
      </p>
      <p>
        <a href={address("market")}>Show all contracts</a>
      </p>
    </EmptyState>
  );
}

function Waiting() {
  const status = market.connection.value?.status;
  if (!market.isKnown.value || isAwaited.value || status === "connected") {
    return <Skeleton label="The contract is on its way" lines={12} />;
  }
  return (
    <EmptyState title="The market is not connected">
      The contract appears once this server has connected to the market.
    </EmptyState>
  );
}
