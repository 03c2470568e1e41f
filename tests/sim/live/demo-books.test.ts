// The demo's books in the first minutes of market time, in lockstep in this process: no arbitrage beyond costs between the base
// of a day, its peak and its hours stays for a minute. One that comes with a trade goes with the next wake-ups of makers and
// arbitrageurs.

import { expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { embedSimulator } from "../../../sim/live/embedded-simulator.ts";
import { OpeningWithdrawal } from "../../../sim/live/opening-withdrawal.ts";
import { placeInitialOrders } from "../../../sim/live/initial-orders.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { usualHalfSpread } from "../../../sim/personas/mandate.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { atEnd } from "../../support/at-end.ts";
import { connect, OPERATOR } from "../../engine/server/harness.ts";
import { startTestEngine } from "../../support/engines.ts";
import { size } from "../../support/sizes.ts";
import { gainOf, packagesAt, type Quotes } from "./free-money.ts";
import { modulesOf } from "./support.ts";

const FIRST_START = Date.parse("2026-03-02T06:00:00Z");
const HOUR = 3_600_000;
/** As often as market makers wake up: with longer steps they would be slower than they are. */
const STEP = 3_000;
const STEPS_BETWEEN_LOOKS = 20;
const PRESET = "calm";
/** Half spreads: what arbitrageurs ask for (sim/strategies/registry.ts). */
const LEAST_PACKAGE_GAIN = 0.5;
const NO_QUOTES: Quotes = { bestBid: null, bestAsk: null };
const MINUTES = size(1, 30);

test.each(Array.from({ length: size(1, 20) }, (_, at) => at + 1))(
  "hold no arbitrage beyond costs that lasts a minute, with seed %d",
  async (seed) => {
    const start = FIRST_START + seed * 11 * HOUR;
    const engine = await startTestEngine({ clock: { start, speed: null, lockstep: true } });
    const opening = new OpeningWithdrawal((request) => engine.execute(request));
    const onOrder = opening.seen.bind(opening);
    const simulator = embedSimulator({ engine, log: logger("test"), now: Date.now, onOrder });
    atEnd(() => simulator.close());
    placeInitialOrders(engine, seed, start);
    const operator = await connect(engine, OPERATOR);
    await simulator.start({ preset: PRESET, seed });
    const found: string[] = [];
    /** Gains that were beyond costs at the last look and at every step since. */
    let lasting = new Set<string>();
    let packages = 0;
    for (let step = 1; step * STEP <= MINUTES * 60_000; step++) {
      const now = start + step * STEP;
      const { status } = await operator.request("clock.advance", { to: new Date(now).toISOString() });
      expect(status).toBe("ok");
      const isLook = step % STEPS_BETWEEN_LOOKS === 0;
      if (!isLook && lasting.size === 0) continue;
      const books = await booksOf(engine);
      const present = new Set<string>();
      for (const each of packagesAt(engine.definition, now)) {
        const gain = gainOf(each, ({ id }) => books.get(id) ?? NO_QUOTES);
        if (Number.isNaN(gain)) continue;
        if (isLook) packages += 1;
        if (gain > costOf(each.whole, books.get(each.whole.id))) present.add(`${each.whole.id}: ${each.kind}`);
      }
      const stayed = [...lasting].filter((name) => present.has(name));
      if (isLook) found.push(...stayed.map((name) => `${new Date(now).toISOString()} ${name}`));
      lasting = isLook ? present : new Set(stayed);
    }
    expect(packages).toBeGreaterThanOrEqual(2 * MINUTES);
    expect(found).toEqual([]);
  },
);

async function booksOf(engine: Parameters<typeof modulesOf>[0]): Promise<Map<string, ModuleData<"ENGINE">>> {
  const books = new Map<string, ModuleData<"ENGINE">>();
  for (const { type, data } of await modulesOf(engine)) {
    if (type === "ENGINE" && data !== null) books.set(data.contractId, data);
  }
  return books;
}

/** The least gain for which the simulated arbitrageurs trade: a part of the half spread at which makers quote. Cents/MWh. */
function costOf(whole: TradedContract, { bestBid, bestAsk }: Quotes = NO_QUOTES): number {
  const price = ((bestBid ?? bestAsk ?? 0) + (bestAsk ?? bestBid ?? 0)) / 2;
  return LEAST_PACKAGE_GAIN * usualHalfSpread(whole, presetExperiment(PRESET).trading.halfSpread, price);
}
