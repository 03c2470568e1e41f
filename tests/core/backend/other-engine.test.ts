// A server whose engine is replaced by one with another market, at the same address.

import { describe, expect, test } from "bun:test";
import type { Logger } from "../../../common/logger.ts";
import { until } from "../../support/until.ts";
import { clientOf, errorOf, scriptedEngine } from "./support/clients.ts";

function noted() {
  const lines: string[] = [];
  const note = (text: string, facts: Record<string, unknown> = {}) =>
    void lines.push(text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(facts[name])));
  return { lines, log: { debug: () => {}, info: () => {}, warn: note, error: note } as unknown as Logger };
}

describe("a client whose engine is another one after a reconnect", () => {
  test("says so in the log, once, and works with the new market", async () => {
    const { lines, log } = noted();
    const engine = scriptedEngine();
    const { client } = clientOf(engine.url, { log });
    const session = client.connect("u-1");
    for (const engineId of ["old", "old", "new", "new"]) {
      // A new connection comes after the client has noticed the end of the one before.
      const connection = await engine.connection();
      await connection.admit([], { engineId });
      await until(() => client.status === "connected");
      expect(client.session?.engineId).toBe(engineId);
      connection.cut();
    }
    expect((await session).engineId).toBe("old");
    const expected = `the engine at ${engine.url} is another one: new, and it was old; it has another market`;
    expect(lines.filter((line) => line.includes("another"))).toEqual([expected]);
  });
});

describe("a client with MKT_ENGINE_ID", () => {
  test("connects to no other engine, and says what to do", async () => {
    const engine = scriptedEngine();
    const { client, snapshot } = clientOf(engine.url, { engineId: "right" });
    const attempt = errorOf(client.connect("u-1"));
    await (await engine.connection()).admit([], { engineId: "wrong" });
    expect(await attempt).toMatchObject({
      code: "backend_unavailable",
      message: `The engine at ${engine.url} has another market: it is engine wrong instead of right.`,
      hint: expect.stringContaining("MKT_ENGINE_ID"),
    });
    expect([client.session, snapshot.count("ENTITY")]).toEqual([null, 0]);
  });

  test("waits until its engine is back, if another one takes its place", async () => {
    const engine = scriptedEngine();
    const { client } = clientOf(engine.url, { engineId: "right" });
    const session = client.connect("u-1");
    const first = await engine.connection();
    await first.admit([], { engineId: "right" });
    await session;
    first.cut();
    await (await engine.connection()).admit([], { engineId: "wrong" });
    const third = await engine.connection();
    expect(client.status).toBe("reconnecting");
    await third.admit([], { engineId: "right" });
    await until(() => client.status === "connected");
    expect(client.session?.engineId).toBe("right");
  });
});
