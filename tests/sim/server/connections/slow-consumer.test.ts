import { describe, expect, test } from "bun:test";
import { PROTOCOL_VERSION } from "../../../../protocol/index.ts";
import { DEFAULT_ENGINE_LIMITS } from "../../../../sim/server/limits/engine-limits.ts";
import {
  connect,
  connectionsOf,
  isKind,
  SELLER,
  serveTestEngine,
  submit,
  type TestEngine,
  VIEWER,
} from "../harness.ts";
import { RawClient } from "../raw-client.ts";
import { until } from "../../../support/until.ts";

async function rawConnection(engine: TestEngine): Promise<RawClient> {
  const client = new RawClient(engine.port);
  client.send({ kind: "hello", protocol: PROTOCOL_VERSION, userId: VIEWER });
  await until(() => client.messages.some((message) => isKind(message, "snapshotEnd")), "the snapshot");
  return client;
}

/** Submits orders, 50 at a time, until `isEnough`. */
async function makeEvents(engine: TestEngine, isEnough: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 400; round++) {
    for (let number = 0; number < 50; number++) {
      submit(engine, `${round}-${number}`);
    }
    if (await isEnough()) return;
  }
  throw new Error("the slow consumer was never cut off");
}

describe("a consumer that does not keep up", () => {
  test("is cut off as too_slow after an unbroken series of events; others miss nothing", async () => {
    const engine = serveTestEngine({ limits: { ...DEFAULT_ENGINE_LIMITS, sendQueueBytes: 256 << 10 } });
    const good = await connect(engine, SELLER);
    const slow = await rawConnection(engine);
    slow.pause();
    await makeEvents(engine, async () => await connectionsOf(engine) === 1);
    slow.resume();
    await until(() => slow.closeCode !== null, "the close");
    expect(slow.closeCode).toBe(1008);
    expect(slow.messages.at(-1)).toMatchObject({ kind: "refused", code: "too_slow" });
    const numbers = slow.messages.filter((message) => isKind(message, "event")).map(({ sequence }) => sequence);
    expect(numbers.length).toBeGreaterThan(100);
    expect(numbers).toEqual(Array.from(numbers, (_, place) => (numbers[0] ?? 0) + place));
    expect(numbers.at(-1)).toBeLessThan(engine.engine.sequence);

    await until(() => good.events.at(-1)?.sequence === engine.engine.sequence, "every event");
    const all = good.events.map(({ sequence }) => sequence);
    expect(all).toEqual(Array.from(all, (_, place) => (all[0] ?? 0) + place));
  });

  test("only for a while gets every event in the end, in order", async () => {
    const engine = serveTestEngine();
    const slow = await rawConnection(engine);
    slow.pause();
    let rounds = 0;
    await makeEvents(engine, () => Promise.resolve(++rounds === 120));
    slow.resume();
    const events = () => slow.messages.filter((message) => isKind(message, "event"));
    await until(() => events().at(-1)?.sequence === engine.engine.sequence, "the last event");
    const numbers = events().map(({ sequence }) => sequence);
    expect(numbers).toEqual(Array.from(numbers, (_, place) => (numbers[0] ?? 0) + place));
    expect(slow.closeCode).toBeNull();
  });

  test("gets a whole snapshot that is far larger than the limit", async () => {
    const engine = serveTestEngine({ limits: { ...DEFAULT_ENGINE_LIMITS, sendQueueBytes: 64 << 10 } });
    for (let number = 0; number < 12_000; number++) {
      submit(engine, `order-${number}`);
    }
    const client = new RawClient(engine.port);
    client.send({ kind: "hello", protocol: PROTOCOL_VERSION, userId: VIEWER });
    client.pause();
    await until(async () => await connectionsOf(engine) === 1, "the connection");
    submit(engine, "live");
    client.resume();
    await until(() => client.messages.some((message) => isKind(message, "event")), "the live event");
    const paths = client.messages.flatMap((message) => "statePath" in message ? [message.statePath] : []);
    expect(new Set(paths.filter((path) => path.startsWith("/ORDER/"))).size).toBe(12_001);
    const kinds = client.messages.map((message) => "kind" in message ? message.kind : "state");
    expect(kinds.indexOf("snapshotEnd")).toBeLessThan(kinds.indexOf("event"));
  });
});
