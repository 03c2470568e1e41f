// Somebody buys, or sells, at ever worse prices within a minute, until the price of a contract has moved. An offer of somebody
// else waits at each of these prices, and is made again if others have taken it, so each order trades.

import { opposite } from "../../engine/market/order-book.ts";
import { megawattsOf } from "../../engine/market/units.ts";
import { BUY, SELL, type Side } from "../../protocol/sides.ts";
import type { IncidentOf } from "../scenario/incident-terms.ts";
import { pick, type Stage } from "./stage.ts";

const ORDERS = { least: 4, most: 6 } as const;
const OFFER_MW = { least: 5, most: 15 } as const;
const GAP_SECONDS = { least: 4, most: 10 } as const;
/** Between the offers and the first order. */
const OFFERED_SECONDS = 30;
/** Before the beginning of the episode, at the latest. */
const LATEST_MINUTES = -2;
const PERCENT = 100;
/** More than any book has. */
const LEVELS = 1_000;

export function priceMove(stage: Stage, { products, withinMinutes, percent }: IncidentOf<"price-move">): void {
  const random = stage.random("price-move");
  const trader = pick(random, stage.people);
  const seller = pick(random, stage.peopleBeside([trader]));
  const side = pick(random, [BUY, SELL] as const);
  const count = random.integer(ORDERS.least, ORDERS.most);
  const earliest = 1 - withinMinutes;
  stage.at(earliest + random.next() * (LATEST_MINUTES - earliest), () => {
    const { contract: { id: contractId }, middle } = stage.contractOf(random, products);
    const direction = side === BUY ? 1 : -1;
    const prices = Array.from(
      { length: count },
      (_, at) => Math.round(middle + direction * Math.abs(middle) * percent / PERCENT * (at + 1) / count),
    );
    const offer = (price: number) => {
      const megawatts = random.integer(OFFER_MW.least, OFFER_MW.most);
      return stage.place(seller, { contractId, side: opposite(side), price, megawatts });
    };
    const offers = prices.map((price) => ({ price, offered: offer(price) }));
    const orders: string[] = [];
    let seconds = OFFERED_SECONDS;
    for (const { price, offered } of offers) {
      stage.after(seconds, () => {
        if (!stage.isOpen(offered)) offer(price);
        const megawatts = megawattsUpTo(stage, contractId, side, price);
        // Somebody's bid or ask may have overtaken this price.
        if (megawatts > 0) orders.push(stage.place(trader, { contractId, side, price, megawatts }).id);
        stage.truth.tell({ contract: contractId, trader, orders });
      });
      seconds += random.integer(GAP_SECONDS.least, GAP_SECONDS.most);
    }
  });
}

/** MW that an order of this side and price would trade. */
function megawattsUpTo({ world: { engine } }: Stage, contractId: string, side: Side, price: number): number {
  const levels = engine.state.contracts.get(contractId)?.book.depth(opposite(side), LEVELS) ?? [];
  const within = levels.filter((level) => side === BUY ? level.price <= price : level.price >= price);
  return megawattsOf(within.reduce((sum, { volume }) => sum + volume, 0));
}
