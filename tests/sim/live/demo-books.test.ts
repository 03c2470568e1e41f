// The demo's books in the first minutes of market time, in lockstep in this process: no arbitrage between a day's base or peak
// and its hours, or between a quarter and its months.

import { expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { embedSimulator } from "../../../sim/live/embedded-simulator.ts";
import { OpeningWithdrawal } from "../../../sim/live/opening-withdrawal.ts";
import { placeInitialOrders } from "../../../sim/live/initial-orders.ts";
import { atEnd } from "../../support/at-end.ts";
import { connect, OPERATOR } from "../../engine/server/harness.ts";
import { startTestEngine } from "../../support/engines.ts";
import { size } from "../../support/sizes.ts";
import { gainOf, packagesAt } from "./free-money.ts";
import { modulesOf } from "./support.ts";

const FIRST_START = Date.parse("2026-03-02T06:00:00Z");
const HOUR = 3_600_000;
const STEP = 15_000;
const STEPS_BETWEEN_LOOKS = 4;
const MINUTES = size(10, 30);

test.each(Array.from({ length: size(2, 20) }, (_, at) => at + 1))("hold no arbitrage with seed %d", async (seed) => {
  const start = FIRST_START + seed * 11 * HOUR;
  const engine = await startTestEngine({ clock: { start, speed: null, lockstep: true } });
  const opening = new OpeningWithdrawal((request) => engine.execute(request));
  const onOrder = opening.seen.bind(opening);
  const simulator = embedSimulator({ engine, log: logger("test"), now: Date.now, onOrder });
  atEnd(() => simulator.close());
  placeInitialOrders(engine, seed, start);
  const operator = await connect(engine, OPERATOR);
  await simulator.start({ preset: "calm", seed });
  const found: string[] = [];
  let packages = 0;
  for (let step = 1; step * STEP <= MINUTES * 60_000; step++) {
    const now = start + step * STEP;
    const { status } = await operator.request("clock.advance", { to: new Date(now).toISOString() });
    expect(status).toBe("ok");
    if (step % STEPS_BETWEEN_LOOKS !== 0) continue;
    const books = new Map<string, ModuleData<"ENGINE">>();
    for (const { type, data } of await modulesOf(engine)) {
      if (type === "ENGINE" && data !== null) books.set(data.contractId, data);
    }
    for (const each of packagesAt(engine.definition, now)) {
      // What all of a base, a peak and the other hours cost together may differ by some cents for a while: makers' quotes of base
      // and peak follow the trades in each.
      if (each.kind === "base of peak and hour") continue;
      const gain = gainOf(each, ({ id }) => books.get(id) ?? { bestBid: null, bestAsk: null });
      if (Number.isNaN(gain)) continue;
      packages += 1;
      if (gain > 0) found.push(`${new Date(now).toISOString()} ${each.whole.id} of ${each.kind}: ${gain}`);
    }
  }
  expect(packages).toBeGreaterThanOrEqual(2 * MINUTES);
  expect(found).toEqual([]);
});
