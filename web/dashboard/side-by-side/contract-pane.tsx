// One contract among others: its best prices, its book with the own orders, its price history.

import type { ComponentChildren } from "preact";
import { price } from "../../components/format.ts";
import { Skeleton } from "../../components/notices.tsx";
import { OrderLadder } from "../../components/order-book.tsx";
import { Panel } from "../../components/panel.tsx";
import { PriceChart } from "../../components/price-chart.tsx";
import { contractIds, contractLabel, contractSignal } from "../live/listed-contracts.ts";
import { timezoneOf } from "../live/market-clock.ts";
import { market } from "../live/market-store.ts";
import { useOwnOrders } from "../live/own-orders.ts";
import { useTrades } from "../live/trade-feed.ts";
import { address } from "../pages/page.ts";

interface ContractPaneProps {
  readonly contractId: string;
  readonly parts: "both" | "book" | "prices";
  /** Right of the title. */
  readonly actions: ComponentChildren;
}

export function ContractPane({ contractId, parts, actions }: ContractPaneProps) {
  // Tells when the contract comes or goes.
  void contractIds.value;
  const row = contractSignal(contractId)?.value;
  return (
    <Panel
      flush
      title={<a href={address("contract", contractId)}>{contractLabel(contractId)}</a>}
      actions={actions}
    >
      {row === undefined
        ? <p class="beside-note">{market.isKnown.value ? "Not listed now." : "On its way."}</p>
        : (
          <p class="beside-note">
            Bid <b>{price(row.bestBid)}</b> Ask <b>{price(row.bestAsk)}</b> Last <b>{price(row.lastPrice)}</b> $/MWh
          </p>
        )}
      {row !== undefined && parts !== "prices" && <Book contractId={contractId} />}
      {parts !== "book" && <Prices contractId={contractId} marketId={row?.marketId} />}
    </Panel>
  );
}

function Book({ contractId }: { readonly contractId: string }) {
  const book = market.books.value.get(contractId);
  const own = useOwnOrders(contractId);
  if (book === undefined) return <Skeleton label="The book is on its way" lines={6} />;
  return <OrderLadder book={book} lastPrice={book.lastPrice} depth={LEVELS} own={own} />;
}

/** Of each side. */
const LEVELS = 5;

function Prices({ contractId, marketId }: { readonly contractId: string; readonly marketId: string | undefined }) {
  const trades = useTrades(contractId);
  void trades.version.value;
  const { candles, volumes } = trades.candles("5 min");
  if (candles.length === 0) {
    return <p class="beside-note">{trades.state.value === "loaded" ? "No trades." : "The trades are on their way."}</p>;
  }
  return (
    <PriceChart
      name={contractLabel(contractId)}
      interval="5 min"
      candles={candles}
      volumes={volumes}
      timezone={timezoneOf(marketId)}
      height={220}
    />
  );
}
