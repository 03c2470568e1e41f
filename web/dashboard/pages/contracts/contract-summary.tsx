// The figures of a contract at the head of its page.

import type { ComponentChildren } from "preact";
import { Delta } from "../../../components/delta.tsx";
import { count, price, quantity, signedPrice } from "../../../components/format.ts";
import { changeOf } from "../../../components/spark-path.ts";
import { Stat, Stats } from "../../../components/stat.tsx";
import type { ContractRow } from "../../../contract/market.ts";
import type { ContractFacts } from "../../live/contract-facts.ts";
import { sparkPrices } from "../../live/sparks.ts";
import { Time } from "../../live/time.tsx";
import { spreadOf } from "./contract-order.ts";

export function PriceFigures({ row }: { readonly row: ContractRow }) {
  const change = changeOf(sparkPrices(row.contractId).value);
  return (
    <Stats>
      <Stat
        label="Last, $/MWh"
        note={row.lastPrice === null
          ? "no trades yet"
          : change === null
          ? "of the last trade"
          : (
            <span title="Over the last trades, at most 40">
              <Delta value={change} text={signedPrice(change)} />
            </span>
          )}
      >
        {price(row.lastPrice)}
      </Stat>
      <Stat label="Bid, $/MWh" note={sizeNote(row.bestBidVolume)}>
        <span class="contract-bid">{price(row.bestBid)}</span>
      </Stat>
      <Stat label="Ask, $/MWh" note={sizeNote(row.bestAskVolume)}>
        <span class="contract-ask">{price(row.bestAsk)}</span>
      </Stat>
      <Stat
        label="Spread, $/MWh"
        note={row.bestBid === null || row.bestAsk === null ? "needs both sides" : "ask less bid"}
      >
        {price(spreadOf(row))}
      </Stat>
      <Stat label="Traded, MW" note="since the market began">{quantity(row.tradedQuantity)}</Stat>
      <Stat label="Orders" note="in the book">{count(row.workingOrders)}</Stat>
    </Stats>
  );
}

function sizeNote(volume: number | null): string {
  return volume === null ? "none" : `${quantity(volume)} MW`;
}

export function Facts({ facts }: { readonly facts: ContractFacts }) {
  return (
    <dl class="contract-facts">
      <Fact name="Delivery">
        <Time value={facts.deliveryStart} parts="dateTime" marketId={facts.marketId} /> to{" "}
        <Time value={facts.deliveryEnd} parts="dateTime" marketId={facts.marketId} />
      </Fact>
      <Fact name="Hours">{quantity(facts.hours)} h</Fact>
      <Fact name="Lot">{quantity(facts.lot)} MW</Fact>
      <Fact name="Tick">{price(facts.tick)} $/MWh</Fact>
      <Fact name="Prices">{price(facts.minimumPrice)} to {price(facts.maximumPrice)} $/MWh</Fact>
      <Fact name="Product">
        <span class="name">{facts.productId}</span>
      </Fact>
      <Fact name="Contract">
        <span class="name contract-id">{facts.id}</span>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
