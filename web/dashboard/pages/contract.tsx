// One contract: book, depth, trades, price history.

import { useState } from "preact/hooks";
import { type Interval, INTERVALS } from "../../components/candles.ts";
import { Choice } from "../../components/choice.tsx";
import { PriceChart } from "../../components/price-chart.tsx";
import { market } from "../live/market-store.ts";
import { type TradeFeed, useTrades } from "../live/trade-feed.ts";
import type { PageProps } from "./page.ts";

export default function Contract({ argument: contractId }: PageProps) {
  const trades = useTrades(contractId);
  return (
    <>
      <h1>{contractId}</h1>
      <PriceHistory trades={trades} contractId={contractId} />
    </>
  );
}

function PriceHistory({ trades, contractId }: { readonly trades: TradeFeed; readonly contractId: string }) {
  const [interval, setInterval] = useState<Interval>("5 min");
  void trades.version.value;
  const { candles, volumes } = trades.candles(interval);
  return (
    <>
      <Choice
        label="Length of a candle"
        options={(Object.keys(INTERVALS) as Interval[]).map((name) => [name, name] as const)}
        value={interval}
        onChange={setInterval}
      />
      <PriceChart
        name={contractId}
        interval={interval}
        candles={candles}
        volumes={volumes}
        timezone={market.markets.value[0]?.timezone ?? "UTC"}
      />
    </>
  );
}
