// The algorithm of a trader sends orders far from the market into one contract, one every few seconds. It goes on while one of
// its orders is open, and ends for good once all of them have been cancelled. Somebody else has a few orders of the same kind.

import type { ReadonlyOrder } from "../../engine/embedded/read-only.ts";
import type { SeededRandom } from "../../sim/random/seeded-random.ts";
import { BUY, SELL } from "../../protocol/sides.ts";
import type { IncidentOf } from "../scenario/incident-terms.ts";
import { pick, type Stage } from "./stage.ts";

/** So that an episode stays small. */
const MOST_ORDERS = 500;
const OTHERS_ORDERS = 3;
/** Of the price, between it and an order. */
const DISTANCE = { least: 0.3, most: 0.6 } as const;
/** The same at least, cents/MWh. */
const LEAST_DISTANCE = 1_000;
const MOST_MEGAWATTS = 20;

export function runawayTrader(stage: Stage, terms: IncidentOf<"runaway-trader">): void {
  const { products, everySeconds, sinceMinutes } = terms;
  const random = stage.random("runaway-trader");
  const trader = pick(random, stage.people);
  const other = pick(random, stage.peopleBeside([trader]));
  stage.truth.tell({ trader });
  stage.truth.blame(trader);

  const sent: ReadonlyOrder[] = [];
  const send = (contractId: string, middle: number) => {
    if (sent.length === MOST_ORDERS || sent.length > 0 && !sent.some((order) => stage.isOpen(order))) return;
    // The agent may have halted the market.
    const order = farOrder(stage, random, trader, contractId, middle);
    if (order !== null) sent.push(order);
    stage.after(everySeconds, () => send(contractId, middle));
  };
  stage.at(-sinceMinutes, () => {
    const { contract: { id }, middle } = stage.contractOf(random, products);
    for (let count = 0; count < OTHERS_ORDERS; count++) farOrder(stage, random, other, id, middle);
    send(id, middle);
  });
}

/** Places an order that nobody will trade with. Null if it is refused, or if the market is halted. */
function farOrder(
  stage: Stage,
  random: SeededRandom,
  userId: string,
  contractId: string,
  middle: number,
): ReadonlyOrder | null {
  const side = pick(random, [BUY, SELL] as const);
  const share = DISTANCE.least + random.next() * (DISTANCE.most - DISTANCE.least);
  const distance = Math.round(Math.max(LEAST_DISTANCE, Math.abs(middle) * share));
  const price = side === BUY ? middle - distance : middle + distance;
  return stage.tryToPlace(userId, { contractId, side, price, megawatts: random.integer(1, MOST_MEGAWATTS) });
}
