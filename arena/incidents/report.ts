// Somebody has placed large orders and withdrawn each within half a minute. A report accuses a trader, who has done it, or who
// only has orders of that size: then somebody else has done it. All of it happens before the beginning of the episode.

import type { ReadonlyOrder } from "../../engine/embedded/read-only.ts";
import { BUY, SELL, type Side } from "../../protocol/sides.ts";
import type { SeededRandom } from "../../sim/random/seeded-random.ts";
import type { IncidentOf } from "../scenario/incident-terms.ts";
import { pick, type Stage } from "./stage.ts";

const SHOWN_SECONDS = { least: 5, most: 25 } as const;
/** For how long somebody innocent shows an order before it is withdrawn. */
const INNOCENT_SECONDS = { least: 100, most: 170 } as const;
/** Orders of the same size that stay. */
const KEPT = { least: 2, most: 3 } as const;
/** Of the price, between it and an order. */
const DISTANCE = { least: 0.06, most: 0.12 } as const;
/** The same at least, cents/MWh. */
const LEAST_DISTANCE = 250;
/** Before the beginning of the episode, at the latest. */
const LATEST_MINUTES = -1;

export function report(stage: Stage, terms: IncidentOf<"report">): void {
  const { accused, product, megawatts, count, withinMinutes } = terms;
  const random = stage.random("report");
  if (!stage.people.includes(accused)) throw new RangeError(`incidents: "${accused}" can't be accused of anything`);
  const isTrue = random.next() < 0.5;
  const stranger = pick(random, stage.peopleBeside([accused]));
  const [offender, innocent] = isTrue ? [accused, stranger] : [stranger, accused];
  const side = pick(random, [BUY, SELL] as const);
  const orders: string[] = [];
  stage.truth.tell({ verdict: isTrue ? "true" : "false", offender, orders });
  if (isTrue) {
    stage.truth.tell({ guilty: accused });
    stage.truth.blame(accused);
  }
  const place = (userId: string, contractId: string, middle: number): ReadonlyOrder =>
    stage.place(userId, { contractId, side, price: farPrice(random, side, middle), megawatts });

  stage.at(-withinMinutes, () => {
    const { contract: { id }, middle } = stage.contractOf(random, [product]);
    const each = (withinMinutes + LATEST_MINUTES) / count;
    const kept = random.integer(KEPT.least, KEPT.most);
    for (let number = 0; number < kept; number++) {
      stage.at(-withinMinutes + each * (number + random.next()), () => place(accused, id, middle));
    }
    stage.at(-withinMinutes + random.next(), () => {
      const order = place(innocent, id, middle);
      stage.after(random.integer(INNOCENT_SECONDS.least, INNOCENT_SECONDS.most), () => stage.withdraw(order));
    });
    for (let number = 0; number < count; number++) {
      stage.at(-withinMinutes + each * (number + random.next() / 2), () => {
        const order = place(offender, id, middle);
        orders.push(order.id);
        stage.after(random.integer(SHOWN_SECONDS.least, SHOWN_SECONDS.most), () => stage.withdraw(order));
      });
    }
  });
}

function farPrice(random: SeededRandom, side: Side, middle: number): number {
  const share = DISTANCE.least + random.next() * (DISTANCE.most - DISTANCE.least);
  const distance = Math.round(Math.max(LEAST_DISTANCE, Math.abs(middle) * share));
  return side === BUY ? middle - distance : middle + distance;
}
