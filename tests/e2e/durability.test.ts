// Kills a real `mkt engine --data` with SIGKILL under load, several times. After each restart every confirmed order must exist
// once, in the state that the confirmations and events imply, and events must continue with the next number of the same
// epoch.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../engine/definition/listed-contracts.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { startEngineProcess, startMkt } from "../support/executable.ts";
import { keepBusy, LoadClient, type LoadResponse, orderIdOf } from "../support/load-client.ts";
import { size } from "../support/sizes.ts";
import { Witness } from "./support/witness.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { SEED, withSeedInFailures } from "../support/seed.ts";

const KILLS = size(3, 50);
const OUTSTANDING = 8;
const TRADERS = [
  { userId: "riverbend-trader-1", cancelOnDisconnect: true },
  { userId: "heartland-trader-1", cancelOnDisconnect: true },
  { userId: "summit-trader-1", cancelOnDisconnect: false },
  { userId: "lakeshore-trader-1", cancelOnDisconnect: false },
];

interface Operation {
  readonly operationId: string;
  readonly action: string;
  readonly payload: { readonly orderId?: string; readonly price?: number; readonly quantity?: number };
}

/** One trader, who records what the engine confirmed. */
class Trader {
  /** Order id in the confirmation, by operation id. */
  readonly confirmed = new Map<string, string>();
  /** The last confirmed change of each order, if nothing was sent for the order after it. */
  readonly changes = new Map<string, Operation>();
  readonly cancelled = new Set<string>();
  readonly #unknown: Operation[] = [];
  readonly #sent = new Map<string, Operation>();
  /** Confirmed orders without a pending change. */
  readonly #free: string[] = [];
  #count = 0;

  constructor(
    readonly userId: string,
    readonly cancelOnDisconnect: boolean,
    readonly contracts: readonly string[],
    readonly random: SeededRandom,
  ) {}

  /** An operation without a response is sent again unchanged, before a new one. */
  next(): Operation {
    const operation = this.#unknown.shift() ?? this.#newOperation();
    this.#sent.set(operation.operationId, operation);
    if (operation.payload.orderId !== undefined) this.changes.delete(operation.payload.orderId);
    return operation;
  }

  settled(operationId: string, response: LoadResponse | null): void {
    const operation = this.#sent.get(operationId);
    if (operation === undefined) throw new Error(`${operationId} was answered twice`);
    this.#sent.delete(operationId);
    if (response === null) this.#unknown.push(operation);
    else if (response.status === "ok") this.#note(operation, response);
  }

  #newOperation(): Operation {
    const { random } = this;
    const operationId = `${this.userId}-${++this.#count}`;
    const price = 5000 + random.integer(-20, 20) * 5;
    const quantity = random.integer(1, 10) * 5;
    const orderId = random.next() < 0.4 ? this.#free.shift() : undefined;
    if (orderId === undefined) {
      const contractId = this.contracts[random.integer(0, this.contracts.length - 1)];
      const terms = { contractId, side: random.integer(0, 1), price, quantity, timeInForce: "gtc" };
      return { operationId, action: "order.submit", payload: terms };
    }
    if (random.next() < 0.5) return { operationId, action: "order.cancel", payload: { orderId } };
    return { operationId, action: "order.modify", payload: { orderId, price, quantity } };
  }

  #note(operation: Operation, response: LoadResponse): void {
    const { operationId, action, payload: { orderId } } = operation;
    if (action === "order.submit") {
      const id = orderIdOf(response);
      const known = this.confirmed.get(operationId);
      if (known !== undefined && known !== id) throw new Error(`${operationId} made ${known} and ${id}`);
      this.confirmed.set(operationId, id);
      this.#free.push(id);
    } else if (orderId !== undefined && action === "order.cancel") this.cancelled.add(orderId);
    else if (orderId !== undefined) {
      this.changes.set(orderId, operation);
      this.#free.push(orderId);
    }
  }
}

function checkConfirmations(witness: Witness, trader: Trader): void {
  for (const [operationId, id] of trader.confirmed) {
    expect([operationId, witness.orders.get(id)?.clientOrderId]).toEqual([operationId, operationId]);
  }
  for (const id of trader.cancelled) expect([id, witness.orders.get(id)?.status]).toEqual([id, "cancelled"]);
  for (const [id, { payload }] of trader.changes) {
    expect(witness.orders.get(id)).toMatchObject({ price: payload.price, quantity: payload.quantity });
  }
  if (!trader.cancelOnDisconnect) return;
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
    const traders = TRADERS.map(({ userId, cancelOnDisconnect }) =>
      new Trader(userId, cancelOnDisconnect, contracts, random)
    );
    const witness = new Witness("operator");
    await withSeedInFailures(async () => {
      for (let kill = 1; kill <= KILLS + 1; kill++) {
        const engine = await startEngineProcess({ args, env: { LOG_LEVEL: "warn" } });
        const url = engine.webSocketUrl;
        await witness.attend(url);
        for (const trader of traders) checkConfirmations(witness, trader);
        if (kill > KILLS) {
          expect(await engine.stop()).toBe(0);
          break;
        }
        // Kills at a random moment under load: after a number of responses and a random delay.
        const underLoad = Promise.withResolvers<void>();
        const answersBefore = random.integer(1, 200);
        let answers = 0;
        const busy = Promise.all(traders.map(async (trader) => {
          const client = await new LoadClient(url, trader.userId, { cancelOnDisconnect: trader.cancelOnDisconnect })
            .welcomed();
          await keepBusy(client, OUTSTANDING, () => trader.next(), (id, response) => {
            trader.settled(id, response);
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
      const confirmed = traders.reduce((sum, trader) => sum + trader.confirmed.size, 0);
      console.log(`${confirmed} orders confirmed, ${witness.gaps} gaps`);
      expect(confirmed).toBeGreaterThan(KILLS);
    });
  }, size(120_000, 900_000));
});

/** Kills an engine while it starts, as if the machine failed twice in a row. */
async function killWhileStarting(args: readonly string[], afterMs: number): Promise<void> {
  const starting = startMkt(["engine", "--port", "0", ...args]);
  await Bun.sleep(afterMs);
  await starting.crash();
}
