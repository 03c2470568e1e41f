import { describe, expect, test } from "bun:test";
import { DEFAULT_ENGINE_LIMITS } from "../../../../sim/server/limits/engine-limits.ts";
import {
  connect,
  connectionsOf,
  SELLER,
  serveTestEngine,
  submit,
  TestClient,
  type TestEngine,
  VIEWER,
} from "../harness.ts";
import { atEnd } from "../../../support/at-end.ts";
import { CuttingProxy } from "../../../support/cutting-proxy.ts";
import { until } from "../../../support/until.ts";

/** A proxy that can stop reading for its clients. */
async function proxyTo(engine: TestEngine): Promise<CuttingProxy> {
  const proxy = await CuttingProxy.to(engine.port);
  atEnd(() => proxy[Symbol.asyncDispose]());
  return proxy;
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
    const proxy = await proxyTo(engine);
    const slow = await connect({ webSocketUrl: proxy.url }, VIEWER);
    proxy.pause();
    await makeEvents(engine, async () => await connectionsOf(engine) === 1);
    proxy.resume();
    await slow.ended();
    expect(slow.closed?.code).toBe(1008);
    expect(slow.messages.at(-1)).toMatchObject({ kind: "refused", code: "too_slow" });
    const numbers = slow.events.map(({ sequence }) => sequence);
    expect(numbers.length).toBeGreaterThan(100);
    expect(numbers).toEqual(Array.from(numbers, (_, place) => (numbers[0] ?? 0) + place));
    expect(numbers.at(-1)).toBeLessThan(engine.engine.sequence);

    await until(() => good.events.at(-1)?.sequence === engine.engine.sequence, "every event");
    const all = good.events.map(({ sequence }) => sequence);
    expect(all).toEqual(Array.from(all, (_, place) => (all[0] ?? 0) + place));
  });

  test("only for a while gets every event in the end, in order", async () => {
    const engine = serveTestEngine();
    const proxy = await proxyTo(engine);
    const slow = await connect({ webSocketUrl: proxy.url }, VIEWER);
    proxy.pause();
    let rounds = 0;
    await makeEvents(engine, () => Promise.resolve(++rounds === 120));
    proxy.resume();
    await until(() => slow.events.at(-1)?.sequence === engine.engine.sequence, "the last event");
    const numbers = slow.events.map(({ sequence }) => sequence);
    expect(numbers).toEqual(Array.from(numbers, (_, place) => (numbers[0] ?? 0) + place));
    expect(slow.closed).toBeNull();
  });

  test("gets a whole snapshot that is far larger than the limit", async () => {
    const engine = serveTestEngine({ limits: { ...DEFAULT_ENGINE_LIMITS, sendQueueBytes: 64 << 10 } });
    for (let number = 0; number < 12_000; number++) {
      submit(engine, `order-${number}`);
    }
    const proxy = await proxyTo(engine);
    const client = await new TestClient(proxy.url).opened();
    proxy.pause();
    await client.hello({ userId: VIEWER });
    await until(async () => await connectionsOf(engine) === 1, "the connection");
    submit(engine, "live");
    proxy.resume();
    await client.message("event");
    const paths = client.states.map(({ statePath }) => statePath);
    expect(new Set(paths.filter((path) => path.startsWith("/ORDER/"))).size).toBe(12_001);
    const kinds = client.messages.map((message) => "kind" in message ? message.kind : "state");
    expect(kinds.indexOf("snapshotEnd")).toBeLessThan(kinds.indexOf("event"));
  });
});
