// Mutated frames of a real engine, sent to the PubSub client: it does not crash, no wait is endless, its memory does not grow,
// and the next valid frame works.

import { afterAll, describe, expect, test } from "bun:test";
import type { PubSubClient } from "../../../core/backend/pubsub-client.ts";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import { ToolError } from "../../../core/error.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../../engine/definition/listed-contracts.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { LoadClient, messagesIn } from "../../support/load-client.ts";
import { type LastSteps, SEED, withSeedInFailures } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { mutated } from "../support/frame-mutations.ts";
import { entity, EPOCH, event, ScriptedEngine, welcome } from "../../support/scripted-engine.ts";
import { startTestEngine } from "../../support/engines.ts";
import { until } from "../../support/until.ts";
import { clientOf } from "./support/clients.ts";

const FRAMES = size(400, 100_000);
/** Mutated frames between two valid ones. */
const BATCH = 50;
/** Batches between two valid connections. */
const BATCHES_BETWEEN = 20;
const MAX_FRAME_LENGTH = 4_000;
const MAX_GROWTH_BYTES = 16 << 20;

/** Frames of an engine with trading, short enough to be sent many times: states, events, responses, a resume. */
async function recordFrames(): Promise<string[]> {
  const definition = builtInMarket();
  const engine = await startTestEngine({ definition });
  const frames: string[] = [];
  const onFrame = (text: string) => {
    const messages = messagesIn(text);
    for (let start = 0; start < messages.length; start += 5) {
      frames.push(JSON.stringify(messages.slice(start, start + 5)));
    }
    if (text.length < MAX_FRAME_LENGTH) frames.push(text);
  };
  const [buyer, seller] = ["riverbend-trader-1", "heartland-trader-1"];
  const contractId = contractsAt(definition, Date.now()).at(-1)?.id;
  const buying = await new LoadClient(engine.webSocketUrl, buyer ?? "", { onFrame }).welcomed();
  const selling = await new LoadClient(engine.webSocketUrl, seller ?? "").welcomed();
  for (let order = 0; order < 20; order += 1) {
    const payload = { contractId, price: 3_000 + order, quantity: 1 };
    await buying.request("order.submit", { ...payload, side: 0 }, `buy ${order}`);
    await selling.request("order.submit", { ...payload, side: 1 }, `sell ${order}`);
  }
  await buying.request("order.submit", { contractId: "none" }, "refused");
  const resume = { epoch: 70, sequence: 1 };
  const resuming = await new LoadClient(engine.webSocketUrl, buyer ?? "", { onFrame, resume }).welcomed();
  for (const client of [buying, selling, resuming]) client.close();
  frames.push(
    '{"kind":"pong","time":"2030-06-01T12:00:00.000Z"}',
    '{"kind":"refused","code":"too_slow","message":"Read faster."}',
    JSON.stringify({ kind: "gap", from: EPOCH + 1, to: EPOCH + 9 }),
  );
  return frames.filter((frame) => frame.length < MAX_FRAME_LENGTH);
}

/** Sends a batch of mutated frames before each response. A connection may also be entirely valid. */
class MutatingEngine {
  readonly engine = new ScriptedEngine();
  /** If set, the next connection is valid: no mutated frame, and an entity of this name in the snapshot. */
  goodName: string | null = null;
  epoch = EPOCH;
  answered = 0;

  constructor(readonly frames: readonly string[], readonly random: SeededRandom, readonly steps: LastSteps) {}

  /** Serves connections, one after the other, until `stop`. */
  async serve(): Promise<void> {
    for (;;) {
      const connection = await this.engine.connection();
      void this.#attend(connection);
    }
  }

  async #attend(connection: Awaited<ReturnType<ScriptedEngine["connection"]>>): Promise<void> {
    const { goodName } = this;
    this.epoch += goodName === null ? 0 : 1_000_000_000;
    const hello = await connection.next("hello");
    const greeting = welcome(hello, { epoch: this.epoch, sequence: this.epoch });
    const snapshot = [greeting, entity("north", goodName ?? "north"), { kind: "snapshotEnd", sequence: this.epoch }];
    if (goodName === null && this.random.next() < 0.2) {
      connection.socket.send(mutated(JSON.stringify(snapshot), this.random));
    }
    connection.send(...snapshot);
    if (goodName !== null) connection.send({ ...event(1), sequence: this.epoch + 1 });
    for (;;) {
      const { requestId, operationId } = await connection.next("request");
      if (this.goodName === null) {
        for (let count = 0; count < BATCH; count += 1) connection.socket.send(this.#mutation());
      }
      this.answered += 1;
      const result = { marketId: "m", marketStatus: "halted" };
      connection.send(entity("north", operationId), { kind: "response", requestId, operationId, status: "ok", result });
    }
  }

  #mutation(): string | Uint8Array<ArrayBuffer> {
    const frame = this.frames[this.random.integer(0, this.frames.length - 1)] ?? "";
    const mutation = mutated(frame, this.random);
    this.steps.add(mutation);
    return mutation;
  }
}

describe(`${FRAMES} mutated frames`, () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  process.on("unhandledRejection", note);
  afterAll(() => void process.off("unhandledRejection", note));

  test(
    "do not harm the client: valid frames after them work, and memory does not grow",
    () =>
      withSeedInFailures(async (steps) => {
        const engine = new MutatingEngine(await recordFrames(), new SeededRandom(SEED), steps);
        const { client, snapshot, events } = clientOf(engine.engine.url, {
          confirmTimeoutMs: 20_000,
          events: new EventBuffer(1_000),
          timings: { firstRetryMs: 1, longestRetryMs: 4, readAgainMs: 200 },
        });
        void engine.serve();
        try {
          let mutations = 0;
          let growthFrom: number | null = null;
          for (let batch = 1; mutations < FRAMES; batch += 1) {
            await connectedTo(client);
            const operationId = `batch ${batch}`;
            const { kind } = await client.request("market.halt", {}, { operationId });
            // A mutated welcome may name another history; then the outcome of the request is unknown.
            if (kind === "not_connected" || kind === "timeout") continue;
            expect({ operationId, kind }).toEqual({ operationId, kind: "ok" });
            expect(snapshot.get("ENTITY", "north")?.name).toBe(operationId);
            mutations += BATCH;
            if (batch % BATCHES_BETWEEN === 0) await showsGoodConnection(operationId);
            if (growthFrom === null && mutations > FRAMES / 5) growthFrom = memoryUsed();
          }
          const growth = memoryUsed() - (growthFrom ?? 0);
          console.log(
            JSON.stringify({ mutations, growth, ...client.protocolFaults, reconnects: client.facts().reconnects }),
          );
          expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
          expect(rejections).toEqual([]);
        } finally {
          await client.disconnect();
          await engine.engine.stop();
        }

        async function showsGoodConnection(name: string): Promise<void> {
          engine.goodName = name;
          await client.disconnect();
          await connectedTo(client);
          await until(() => events.latestSequence === engine.epoch + 1);
          expect(client.facts()).toMatchObject({ status: "connected", incomplete: false, epoch: engine.epoch });
          expect(snapshot.find("ENTITY", { limit: 9 }).modules.map((module) => module.name)).toEqual([name]);
          expect(events.read({ since: engine.epoch, limit: 9 })).toMatchObject({ missed: 0, events: [{}] });
          engine.goodName = null;
          await client.disconnect();
        }
      }),
    size(60_000, 900_000),
  );
});

async function connectedTo(client: PubSubClient): Promise<void> {
  for (;;) {
    try {
      await client.connect("u-1");
      return;
    } catch (error) {
      // A mutated welcome may be a refusal.
      if (!(error instanceof ToolError)) throw error;
      await Bun.sleep(1);
    }
  }
}

function memoryUsed(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}
