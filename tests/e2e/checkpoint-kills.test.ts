// Kills a compiled `mkt engine --data` with SIGKILL while it makes a checkpoint, at moments drawn from a seed: while the
// thread restores, applies, and writes, and while the engine deletes what the checkpoint replaces. Each restart has every
// confirmed order. Only in test:long: its engines have 50,000 records. In every run tests/engine/server/checkpoints makes
// smaller checkpoints, and durability.test.ts kills smaller engines.

import { describe, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { stateFilesIn } from "../engine/support/checkpoints.ts";
import { inspectJournal } from "../../engine/journal/inspect-journal.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { run, turn } from "../engine/server/checkpoints/running-engine.ts";
import { startEngineProcess } from "../support/executable.ts";
import { LoadClient, orderIdOf } from "../support/load-client.ts";
import { SEED, withSeedInFailures } from "../support/seed.ts";
import { LONG } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { restingBuy } from "./support/built-in-market.ts";
import { lookAt } from "./support/engine-view.ts";

const KILLS = 40;
/** Records after which an engine makes a checkpoint. */
const DUE = 50_000;
const LAST_CALLS = 100;
/** Some checkpoints are finished by then, and others have just begun. */
const LATEST_KILL_MS = 1500;

/** Has no open orders yet, so no limit is near. */
const TRADER = "heartland-trader-1";

/** The directory of an engine that makes a checkpoint soon: it has an older one with as many orders. */
async function almostDue(): Promise<string> {
  const directory = temporaryDirectory();
  const first = await run(directory, Infinity);
  first.buy(2000);
  await first.stop();
  const second = await run(directory, Infinity, undefined, 2000);
  for (let sent = 2000; sent < 2000 + DUE - LAST_CALLS / 2; sent = second.buy(500)) await turn();
  await second.abandon();
  return directory;
}

describe.skipIf(!LONG)("mkt engine --data that is killed while it makes a checkpoint", () => {
  test(`has every confirmed order after each of ${KILLS} kills`, async () => {
    const random = new SeededRandom(SEED);
    const prepared = await almostDue();
    const before = (await ordersIn(copyOf(prepared))).length;
    let finished = 0;
    await withSeedInFailures(async () => {
      for (let kill = 0; kill < KILLS; kill++) {
        const directory = copyOf(prepared);
        const [old] = stateFilesIn(directory);
        const engine = await startEngineProcess({ args: ["--data", directory], env: { LOG_LEVEL: "warn" } });
        const client = await new LoadClient(engine.webSocketUrl, TRADER).welcomed();
        const buy = (_: unknown, call: number) => client.request("order.submit", restingBuy(), `last-${call}`);
        const confirmed = (await Promise.all(Array.from({ length: LAST_CALLS }, buy))).map(orderIdOf);
        // The last kill comes after a whole checkpoint.
        if (kill === KILLS - 1) await until(() => !stateFilesIn(directory).includes(old ?? ""), "a checkpoint");
        else await Bun.sleep(random.integer(0, LATEST_KILL_MS));
        await engine.crash();
        const { faults, readable } = inspectJournal(directory);
        expect(faults).toEqual([]);
        if (readable?.checkpoint?.state.file !== old) finished += 1;
        const orders = await ordersIn(directory);
        expect(orders).toHaveLength(before + LAST_CALLS);
        expect(confirmed.filter((id) => !orders.includes(`/ORDER/${id}`))).toEqual([]);
      }
      console.log(`${finished} of ${KILLS} kills came after the new checkpoint`);
      expect(finished).toBeGreaterThan(0);
      const last = await startEngineProcess({ args: ["--data", copyOf(prepared)] });
      expect((await lookAt(last, TRADER)).openOrders).toHaveLength(before);
      expect(await last.stop()).toBe(0);
    });
  });
});

function copyOf(directory: string): string {
  const copy = temporaryDirectory();
  cpSync(directory, copy, { recursive: true });
  return copy;
}

async function ordersIn(directory: string): Promise<string[]> {
  const engine = await run(directory, Infinity);
  const orders = engine.orders();
  await engine.abandon();
  return orders;
}
