// The demo's books in the first minutes of market time, in lockstep in this process: no arbitrage between the base or the
// peak of a day and its hours.

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
/** As often as market makers wake up: with longer steps they would be slower than they are. */
const STEP = 3_000;
const STEPS_BETWEEN_LOOKS = 20;
const MINUTES = size(2, 30);

test.each(Array.from({ length: size(1, 20) }, (_, at) => at + 1))(
  "hold no arbitrage that lasts a minute, with seed %d",
  async (seed) => {
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
    let before = new Set<string>();
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
      const present = new Set<string>();
      for (const each of packagesAt(engine.definition, now)) {
        // A base may differ from its peak and the other hours by some cents for a while: quotes of each follow its own trades.
        if (each.kind === "base of peak and hour") continue;
        const gain = gainOf(each, ({ id }) => books.get(id) ?? { bestBid: null, bestAsk: null });
        if (Number.isNaN(gain)) continue;
        packages += 1;
        const name = `${each.whole.id}: ${each.kind}`;
        if (gain > 0) present.add(name);
        if (gain > 0 && before.has(name)) found.push(`${new Date(now).toISOString()} ${name}, ${gain}`);
      }
      before = present;
    }
    expect(packages).toBeGreaterThanOrEqual(2 * MINUTES);
    expect(found).toEqual([]);
  },
);
