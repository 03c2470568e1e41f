import { describe, expect, test } from "bun:test";
import { PATHS } from "../../../../protocol/index.ts";
import {
  connect,
  connectionsOf,
  consecutive,
  SELLER,
  serveTestEngine,
  submit,
  type TestEngine,
  VIEWER,
} from "../harness.ts";
import { atEnd } from "../../../support/at-end.ts";
import { CuttingProxy } from "../../../support/cutting-proxy.ts";
import { parseMetrics, valueIn } from "../../../support/metrics-text.ts";
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
    const metrics = parseMetrics(await (await fetch(`${engine.url}${PATHS.metrics}`)).text());
    expect(valueIn(metrics, "mkt_engine_ended_connections_total", { code: "too_slow" })).toBe(1);
    expect(valueIn(metrics, "mkt_engine_connections")).toBe(1);
    expect(valueIn(metrics, "mkt_engine_send_queue_characters")).toBe(0);
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
});
