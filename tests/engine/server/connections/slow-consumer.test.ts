import { describe, expect, test } from "bun:test";
import {
  connect,
  connectionsOf,
  consecutive,
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
    for (let number = 0; number < 50; number++) submit(engine, `${round}-${number}`);
    if (await isEnough()) return;
  }
  throw new Error("the slow consumer was never cut off");
}

describe("a consumer that does not keep up", () => {
  test("is cut off as too_slow after an unbroken series of events; others miss nothing", async () => {
    const engine = serveTestEngine({ limits: { sendQueueBytes: 256 << 10 } });
    const good = await connect(engine, SELLER);
    const proxy = await proxyTo(engine);
    const slow = await connect({ webSocketUrl: proxy.url }, VIEWER);
    proxy.pause();
    await makeEvents(engine, async () => await connectionsOf(engine) === 1);
    proxy.resume();
    expect([await slow.refused(), slow.closed?.code]).toEqual(["too_slow", 1008]);
    expect(slow.kinds.at(-1)).toBe("refused");
    const numbers = slow.sequences;
    expect(numbers.length).toBeGreaterThan(100);
    expect(numbers).toEqual(consecutive(numbers));
    expect(numbers.at(-1)).toBeLessThan(engine.engine.sequence);

    await until(() => good.events.at(-1)?.sequence === engine.engine.sequence, "every event");
    expect(good.sequences).toEqual(consecutive(good.sequences));
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
    expect(slow.sequences).toEqual(consecutive(slow.sequences));
    expect(slow.closed).toBeNull();
  });

  test("gets a whole snapshot that is far larger than the limit", async () => {
    const engine = serveTestEngine({ limits: { sendQueueBytes: 64 << 10 } });
    for (let number = 0; number < 12_000; number++) submit(engine, `order-${number}`);
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
    expect(client.kinds.indexOf("snapshotEnd")).toBeLessThan(client.kinds.indexOf("event"));
  });
});
