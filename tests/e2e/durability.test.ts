// Kills a real `mkt engine --data` with SIGKILL under load, several times. After each restart every confirmed order must exist
// once, in the state that the confirmations and events imply, and events must continue with the next number of the same
// epoch.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../engine/definition/listed-contracts.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { startEngineProcess, startMkt } from "../support/executable.ts";
import { keepBusy, LoadClient } from "../support/load-client.ts";
import { size } from "../support/sizes.ts";
import { ConfirmedTrader } from "./support/confirmed-trader.ts";
import { Witness } from "./support/witness.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { SEED, withSeedInFailures } from "../support/seed.ts";

const KILLS = size(2, 50);
const OUTSTANDING = 8;
const TRADERS = [
  { userId: "riverbend-trader-1", cancelOnDisconnect: true },
  { userId: "heartland-trader-1", cancelOnDisconnect: true },
  { userId: "summit-trader-1", cancelOnDisconnect: false },
  { userId: "lakeshore-trader-1", cancelOnDisconnect: false },
];

function checkConfirmations(witness: Witness, trader: ConfirmedTrader, cancelOnDisconnect: boolean): void {
  for (const [operationId, id] of trader.confirmed) {
    expect([operationId, witness.orders.get(id)?.clientOrderId]).toEqual([operationId, operationId]);
  }
  for (const id of trader.cancelled) expect([id, witness.orders.get(id)?.status]).toEqual([id, "cancelled"]);
  for (const [id, { payload }] of trader.changes) {
    expect(witness.orders.get(id)).toMatchObject({ price: payload.price, quantity: payload.quantity });
  }
  if (!cancelOnDisconnect) return;
  const left = [...witness.orders.values()].filter(({ userId, closeReason }) =>
    userId === trader.userId && closeReason === null
  );
  expect(left).toEqual([]);
}

describe("mkt engine --data", () => {
  test(`loses nothing that it confirmed over ${KILLS} kills under load`, async () => {
    const random = new SeededRandom(SEED);
    const directory = temporaryDirectory();
    const args = ["--data", directory];
    const contracts = contractsAt(builtInMarket(), Date.now()).slice(-4).map(({ id }) => id);
    const traders = TRADERS.map((user) => ({ ...user, orders: new ConfirmedTrader(user.userId, contracts, random) }));
    const witness = new Witness("operator");
    await withSeedInFailures(async () => {
      for (let kill = 1; kill <= KILLS + 1; kill++) {
        const engine = await startEngineProcess({ args, env: { LOG_LEVEL: "warn" } });
        const url = engine.webSocketUrl;
        await witness.attend(url);
        for (const { orders, cancelOnDisconnect } of traders) checkConfirmations(witness, orders, cancelOnDisconnect);
        if (kill > KILLS) {
          expect(await engine.stop()).toBe(0);
          break;
        }
        // Kills at a random moment under load: after a number of responses and a random delay.
        const underLoad = Promise.withResolvers<void>();
        const answersBefore = random.integer(1, size(60, 200));
        let answers = 0;
        const busy = Promise.all(traders.map(async ({ userId, cancelOnDisconnect, orders }) => {
          const client = await new LoadClient(url, userId, { cancelOnDisconnect }).welcomed();
          await keepBusy(client, OUTSTANDING, () => orders.next(), (id, response) => {
            orders.settled(id, response);
            answers += response === null ? 0 : 1;
            if (answers === answersBefore) underLoad.resolve();
          });
        }));
        await underLoad.promise;
        await Bun.sleep(random.integer(0, 300));
        engine.kill("SIGKILL");
        await Promise.all([engine.exited, busy, witness.ended()]);
        // A kill in the middle of a commit leaves an incomplete last write. The witness checks that nothing confirmed is lost.
        const cuts = engine.stderr().split("\n").filter((line) => line.includes("journal cut"));
        for (const line of cuts) expect(line).toContain("incomplete last write");
        if (random.next() < 0.3) await killWhileStarting(args, random.integer(1, 300));
      }
      const confirmed = traders.reduce((sum, { orders }) => sum + orders.confirmed.size, 0);
      console.log(`${confirmed} orders confirmed, ${witness.gaps} gaps`);
      expect(confirmed).toBeGreaterThan(KILLS);
    });
  });
});

/** Kills an engine while it starts, as if the machine failed twice in a row. */
async function killWhileStarting(args: readonly string[], afterMs: number): Promise<void> {
  const starting = startMkt(["engine", "--port", "0", ...args]);
  await Bun.sleep(afterMs);
  await starting.crash();
}
