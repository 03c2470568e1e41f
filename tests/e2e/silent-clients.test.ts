// Clients of the engine that never read, on the compiled executable with a journal. Each test prints its figures.

import { describe, expect, test } from "bun:test";
import { connect, connectionsOf, TestClient } from "../engine/server/harness.ts";
import { CuttingProxy } from "../support/cutting-proxy.ts";
import { memoryMb } from "../support/processes.ts";
import { LONG, size } from "../support/sizes.ts";
import { until } from "../support/until.ts";
import { restingBuy } from "./support/built-in-market.ts";
import {
  ATTACKER,
  Attacker,
  figuresOf,
  LOOKER,
  request,
  settle,
  startAttacked,
  startsAgain,
  whileTrading,
} from "./support/attack.ts";

describe("clients that never read", () => {
  const ORDERS = size(8_000, 50_000);
  const SILENT = size(5, 150);
  /** Longer than it takes to accept all of them. */
  const SNAPSHOT_SECONDS = size(2, 60);
  test(`${SILENT} of them take little memory in a market of ${ORDERS} orders, and are disconnected`, async () => {
    const env = {
      MKT_ENGINE_MAX_REQUESTS_PER_SECOND: "1000000",
      MKT_ENGINE_MAX_BYTES_PER_SECOND: String(1 << 30),
      MKT_ENGINE_MAX_SNAPSHOT_SECONDS: String(SNAPSHOT_SECONDS),
      MKT_ENGINE_MAX_OPEN_ORDERS_PER_USER: "100000",
      MKT_ENGINE_MAX_OPEN_ORDERS_PER_BOOK: "100000",
    };
    const engine = await startAttacked(env);
    await using proxy = await CuttingProxy.to(engine.port);
    const filler = await Attacker.as(ATTACKER, engine);
    for (let made = 0; made < ORDERS; made += 500) {
      const batch = Array.from(
        { length: 500 },
        (_, at) => request(`${made + at}-${"x".repeat(150)}`, restingBuy(500 + (made + at) % 100)),
      );
      filler.sendText(`[${batch.join()}]`);
      await filler.answered(made + 500);
    }
    expect(filler.codes).toEqual({ ok: ORDERS });
    filler.close();
    const figures = await figuresOf(engine);
    const { result: { peak, held }, noticed } = await whileTrading(engine, async () => {
      const silent = Array.from({ length: SILENT }, () => new TestClient(proxy.url));
      await Promise.all(silent.map((client) => client.opened()));
      proxy.pause();
      for (const client of silent) await client.hello({ userId: LOOKER });
      await until(async () => await connectionsOf(engine) === SILENT + 1, "their connections");
      let peak = 0;
      let held = Infinity;
      await until(async () => {
        const memory = await memoryMb(engine.pid);
        const connections = await connectionsOf(engine);
        peak = Math.max(peak, memory);
        if (connections === SILENT + 1) held = Math.min(held, memory);
        return connections === 1;
      }, "the end of their connections");
      return { peak, held };
    });
    const outcome =
      `${SILENT} clients that never read a market of ${ORDERS} orders: ${held.toFixed()} MB, at most ${peak.toFixed()} MB while ` +
      `their connections are made; ${noticed}`;
    await settle("silent clients", engine, figures, outcome);
    // Clients that only read leave nothing to a start. engine-attacks.test.ts has one after attacks in every run.
    if (LONG) await startsAgain(engine, env);
    // Each connection holds a few frames. A whole snapshot for each would take gigabytes. The rest is garbage of frames that
    // the kernel has already taken.
    expect(held - figures.memoryBefore).toBeLessThan(150);
    expect(peak - figures.memoryBefore).toBeLessThan(800);
  });

  // tests/engine/server/connections/slow-consumer.test.ts shows the same in the process, in every run.
  test.skipIf(!LONG)("are disconnected as too slow in a busy market, and nobody else is", async () => {
    const engine = await startAttacked({ MKT_ENGINE_MAX_SEND_QUEUE_BYTES: "65536" });
    await using proxy = await CuttingProxy.to(engine.port);
    const figures = await figuresOf(engine);
    const { noticed } = await whileTrading(engine, async () => {
      await Promise.all(Array.from({ length: 20 }, () => connect({ webSocketUrl: proxy.url }, LOOKER)));
      proxy.pause();
      const busy = await Attacker.as(ATTACKER, engine);
      for (let round = 0; await connectionsOf(engine) > 2; round++) {
        const batch = Array.from({ length: 50 }, (_, at) => request(`${round}-${at}`, restingBuy(500 + round % 50)));
        busy.sendText(`[${batch.join()}]`);
        await busy.answered((round + 1) * 50);
        if (busy.isClosed || round > 2_000) throw new Error("slow readers were not cut off");
      }
      busy.close();
    });
    await settle("slow readers", engine, figures, `20 slow readers cut off; ${noticed}`);
    await startsAgain(engine);
  });
});
