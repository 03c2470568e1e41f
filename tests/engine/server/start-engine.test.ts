import { describe, expect, test } from "bun:test";
import type { Logger } from "../../../common/logger.ts";
import { healthResponse, PATHS } from "../../../protocol/index.ts";
import { BUYER, connect, OPERATOR, restingBuy, SECRET } from "./harness.ts";
import { startTestEngine } from "../../support/engines.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("a started engine", () => {
  test("serves its market, under the same id over HTTP and WebSocket", async () => {
    const engine = await startTestEngine();
    const health = healthResponse.parse(await (await fetch(`${engine.url}${PATHS.health}`)).json());
    const welcome = await (await connect(engine, OPERATOR)).message("welcome");
    expect(welcome.engineId).toBe(health.engineId);
    expect(welcome.engineId).toBe(engine.engineId);
  });

  test("takes its epoch from the clock in microseconds, so event numbers grow over restarts", async () => {
    const at = Date.parse("2026-05-05T05:05:05.005Z");
    const first = await (await connect(await startTestEngine({ now: () => at }), OPERATOR)).message("welcome");
    const second = await (await connect(await startTestEngine({ now: () => at + 1 }), OPERATOR)).message("welcome");
    expect(first.epoch).toBe(at * 1000);
    expect(second.epoch).toBeGreaterThan(first.sequence);
    expect(Number.isSafeInteger(second.sequence)).toBe(true);
  });

  test("requires its token, and checks its secret", async () => {
    const engine = await startTestEngine({ token: "sesame", secret: SECRET });
    expect((await fetch(`${engine.url}${PATHS.users}`, { headers: { "X-Mkt-User": OPERATOR } })).status).toBe(401);
    const client = await connect(engine, OPERATOR, { token: "sesame" });
    const reset = { creditLimit: 1000 };
    expect(await client.request("dev.reset", { ...reset, secret: "no" })).toMatchObject({ code: "wrong_secret" });
    expect((await client.request("dev.reset", { ...reset, secret: SECRET })).status).toBe("ok");
  });

  test("fails with one line if port or address can't be had, and releases its data directory", async () => {
    const { port } = await startTestEngine();
    const data = temporaryDirectory();
    // A secret is a record, so there is something to save.
    await expect(startTestEngine({ data, port, secret: SECRET })).rejects.toThrow(
      new RegExp(`^port ${port} on 127\\.0\\.0\\.1 is in use: stop the other server, or choose another port$`),
    );
    const engine = await startTestEngine({ data });
    expect(engine.isNew).toBe(true);
    expect((await (await connect(engine, OPERATOR)).message("welcome")).engineId).toBe(engine.engineId);
    await expect(startTestEngine({ hostname: "192.0.2.1" })).rejects.toThrow(
      /^can't listen on 192\.0\.2\.1, port 0: .+$/,
    );
  });

  test("takes another port if it may, and reads its directory once for that", async () => {
    const { port } = await startTestEngine();
    const data = temporaryDirectory();
    await (await startTestEngine({ data })).stop();
    const lines: string[] = [];
    const note = (text: string) => void lines.push(text);
    const log = { debug: note, info: note, warn: note, error: note } as unknown as Logger;
    const engine = await startTestEngine({ data, port, orAnyPort: true, log });
    expect(engine.port).not.toBe(port);
    expect((await fetch(`${engine.url}${PATHS.health}`)).status).toBe(200);
    expect(lines.filter((line) => line.startsWith("journal read"))).toHaveLength(1);
    const refused = startTestEngine({ data, port, orAnyPort: true });
    await expect(refused).rejects.toThrow("is using it");
  });

  test("stops in order: its clients get what was carried out, then the reason, and its port is closed", async () => {
    const engine = await startTestEngine();
    const client = await connect(engine, BUYER);
    const contractId = String(client.states.findLast(({ statePath }) => statePath.startsWith("/CONTRACT/"))?.state?.id);
    const payload = restingBuy(contractId);
    engine.execute({ userId: BUYER, operationId: "last", action: "order.submit", payload });
    await engine.stop();
    await client.ended();
    expect(client.events.map(({ type }) => type)).toContain("new.order");
    expect([client.messages.at(-1), client.closed]).toMatchObject([
      { kind: "refused", code: "shutting_down" },
      { code: 1001 },
    ]);
    await expect(fetch(`${engine.url}${PATHS.health}`)).rejects.toThrow();
  });
});
