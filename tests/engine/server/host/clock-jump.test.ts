// What an engine with a data directory does when its machine's clock jumps, as its clients and its operator see it.

import { describe, expect, test } from "bun:test";
import { runMktHere } from "../../../support/command-line-here.ts";
import { startTestEngine } from "../../../support/engines.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { parseMetrics, valueIn } from "../../../support/metrics-text.ts";
import type { Logger } from "../../../../common/logger.ts";
import { type Action, ACTION_NAMES, type ActionRequest, healthResponse, PATHS } from "../../../../protocol/index.ts";
import { contractsAt } from "../../../../engine/definition/listed-contracts.ts";
import type { ServedEngine } from "../../../../engine/server/engine-server.ts";
import type { StartEngineOptions } from "../../../../engine/server/start-engine.ts";
import { BUYER, connect, OPERATOR, restingBuy, serveTestEngine, type TestClient, VIEWER } from "../harness.ts";

const START = Date.parse("2026-03-02T15:00:00Z");
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A machine whose clock can be set. */
function machine() {
  const clocks = { wall: START, steady: 0 };
  const lines: string[] = [];
  const note = (line: string, facts: Readonly<Record<string, unknown>> = {}) =>
    void lines.push(line.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(facts[name])));
  const log = { debug: note, info: note, warn: note, error: note } as unknown as Logger;
  return {
    pass: (ms: number) => {
      clocks.wall += ms;
      clocks.steady += ms;
    },
    set: (stepMs: number) => void (clocks.wall += stepMs),
    lines,
    options: { now: () => clocks.wall, steadyNow: () => clocks.steady, log },
  };
}

/** An engine that follows steps of the clock up to a minute. */
async function started() {
  const own = machine();
  const engine = serveTestEngine({ ...own.options, maxClockJumpMs: MINUTE_MS });
  const contractId = contractsAt(engine.definition, START).at(0)?.id ?? "";
  return { ...own, engine, contractId, client: await connect(engine, BUYER) };
}

/** As `mkt engine` starts it, by default with a data directory and the usual limit. */
async function startedWith(options: Partial<StartEngineOptions> = {}, own = machine()) {
  const data = options.data === undefined ? temporaryDirectory() : options.data;
  const engine = await startTestEngine({ ...own.options, maxClockJumpMs: MINUTE_MS, ...options, data });
  return { ...own, own, data, engine };
}

async function healthOf({ url }: ServedEngine) {
  return healthResponse.parse(await (await fetch(`${url}${PATHS.health}`)).json());
}

const environmentOf = ({ port }: ServedEngine, userId = OPERATOR) => ({
  MKT_HOST: `127.0.0.1:${port}`,
  MKT_BASE_URL: `http://127.0.0.1:${port}`,
  MKT_USER_ID: userId,
});

const submit = (client: TestClient, contractId: string) => client.request("order.submit", restingBuy(contractId));
const orderIdOf = ({ result }: Awaited<ReturnType<typeof submit>>) => String((result?.["order"] as { id: string }).id);
const ended = (client: TestClient) =>
  client.events.filter(({ type }) => ["expire.order", "cancel.order", "change.contract"].includes(type));

describe("an engine whose clock jumps", () => {
  test.each([30 * DAY_MS, -30 * DAY_MS])(
    "by %d ms trades on when the clock is right again, as if nothing had been",
    async (jumpMs) => {
      const { engine, client, contractId, set, pass, lines } = await started();
      const resting = orderIdOf(await submit(client, contractId));
      set(jumpMs);
      const side = jumpMs > 0 ? "ahead" : "back";
      const clock = new Date(START + jumpMs).toISOString();
      expect(await submit(client, contractId)).toMatchObject({
        status: "rejected",
        code: "clock_jumped",
        message: expect.stringMatching(
          new RegExp(`${side} by 30 days, so trading has stopped: nothing was changed.*mkt accept-clock`),
        ),
      });
      pass(2000);
      expect(await healthOf(engine)).toMatchObject({
        clockJumpSeconds: jumpMs / 1000,
        time: new Date(START + 2000).toISOString(),
        marketTime: new Date(START).toISOString(),
      });
      const metrics = parseMetrics(await (await engine.metrics()).metrics());
      expect(valueIn(metrics, "mkt_engine_clock_jump_seconds")).toBe(jumpMs / 1000);
      set(-jumpMs);
      expect((await submit(client, contractId)).status).toBe("ok");
      expect(await healthOf(engine)).toMatchObject({
        clockJumpSeconds: 0,
        marketTime: new Date(START + 2000).toISOString(),
      });
      expect(ended(client)).toEqual([]);
      expect((await client.request("order.cancel", { orderId: resting })).status).toBe("ok");
      expect(lines.filter((line) => line.includes("clock"))).toEqual([
        expect.stringMatching(new RegExp(`^the clock has jumped ${side} by 30 days, to ${clock}; .*trading stops`)),
        expect.stringContaining("the clock is right again"),
      ]);
    },
  );

  test("carries out what takes orders away and halts, and refuses every other change", async () => {
    const { engine, client, contractId, set } = await started();
    const orderId = orderIdOf(await submit(client, contractId));
    const operator = await connect(engine, OPERATOR);
    set(DAY_MS);
    const carriedOut: { readonly [Name in Action]?: ActionRequest<Name> } = {
      "order.cancel": { orderId },
      "market.halt": {},
      "engine.flush": { engineId: `ENG-${contractId}` },
      "market.flush": {},
    };
    const entityId = "RIVERBEND";
    const refused: { readonly [Name in Action]?: ActionRequest<Name> } = {
      "order.submit": restingBuy(contractId),
      "order.modify": { orderId, quantity: 1 },
      "market.resume": {},
      "credit.setLimit": { entityId, counterpartyId: "SUMMIT", limitType: "mw", scope: "total", limit: 1 },
      "credit.setDocumentation": { entityId, counterpartyId: "SUMMIT", status: "docs_in_place" },
      "dev.reset": { secret: "", creditLimit: 1 },
      "clock.set": { speed: 2 },
      "clock.advance": { to: new Date(START).toISOString() },
      "spot.publish": {
        prices: [{ node: "NORTH", price: 1, regime: "base", time: new Date(START).toISOString() }],
      },
    };
    for (const [action, payload] of Object.entries(refused)) {
      const response = await operator.request(action as Action, payload as ActionRequest<Action>);
      expect([action, response.status, response.code]).toEqual([action, "rejected", "clock_jumped"]);
    }
    for (const [action, payload] of Object.entries(carriedOut)) {
      const response = await operator.request(action as Action, payload as ActionRequest<Action>);
      expect([action, response.status]).toEqual([action, "ok"]);
    }
    expect([...Object.keys(refused), ...Object.keys(carriedOut)].toSorted()).toEqual(ACTION_NAMES.toSorted());
  });

  test("gives the first answer to an operation that is repeated", async () => {
    const { client, contractId, set } = await started();
    const payload = restingBuy(contractId);
    const first = await client.request("order.submit", payload, "once");
    set(DAY_MS);
    expect(await client.request("order.submit", payload, "once")).toMatchObject({
      status: "ok",
      result: first.result ?? {},
    });
  });

  test("at a multiple of real time stands still, and makes up for ten seconds at most", async () => {
    const { engine, set, pass } = await startedWith({ clock: { start: START, speed: 60, lockstep: false } });
    set(DAY_MS);
    pass(MINUTE_MS);
    expect(engine.marketTime()).toBe(START);
    set(-DAY_MS);
    expect(engine.marketTime()).toBe(START + 10_000 * 60);
    pass(1000);
    expect(engine.marketTime()).toBe(START + 11_000 * 60);
  });

  test("follows the jump if nothing outlives the process, and logs it", async () => {
    const { engine, set, lines } = await startedWith({ data: null });
    set(30 * DAY_MS);
    expect(engine.marketTime()).toBe(START + 30 * DAY_MS);
    expect(lines).toContainEqual(expect.stringContaining("the clock was set forward by 30 days"));
  });

  test("follows the jump if any is allowed", async () => {
    const { engine, set } = await startedWith({ maxClockJumpMs: undefined });
    set(30 * DAY_MS);
    expect(engine.marketTime()).toBe(START + 30 * DAY_MS);
  });
});

describe("an operator", () => {
  test("accepts a clock that has jumped ahead, and what is due then happens", async () => {
    const { engine, client, contractId, set, lines } = await started();
    await submit(client, contractId);
    set(30 * DAY_MS);
    await submit(client, contractId);
    const doctor = await runMktHere(["doctor"], environmentOf(engine));
    expect(doctor.stdout).toMatch(/failed +clock +.*has jumped ahead by 30 days.*mkt accept-clock/);
    const accepted = await runMktHere(["accept-clock"], environmentOf(engine));
    const now = new Date(START + 30 * DAY_MS).toISOString();
    expect([accepted.exitCode, accepted.stdout]).toEqual([
      0,
      `accepted the clock, which was 30 days ahead: engine time is ${now}, market time ${now}\n`,
    ]);
    expect(await submit(client, contractId)).toMatchObject({ code: "not_found" });
    expect(ended(client).map(({ type }) => type)).toContain("expire.order");
    expect(lines).toContainEqual(expect.stringContaining(`${OPERATOR} accepted the clock, which is 30 days ahead`));
    const again = await runMktHere(["accept-clock"], environmentOf(engine));
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining("there is nothing to accept")]);
  });

  test("accepts a clock that has jumped back: trading goes on, and market time waits for the clock", async () => {
    const { engine, client, contractId, set, pass } = await started();
    pass(1000);
    await submit(client, contractId);
    set(-2 * DAY_MS);
    pass(1000);
    await submit(client, contractId);
    expect((await runMktHere(["accept-clock"], environmentOf(engine))).stdout).toContain("2 days behind");
    pass(DAY_MS);
    expect((await submit(client, contractId)).status).toBe("ok");
    expect(engine.marketTime()).toBe(START + 2000);
    pass(DAY_MS + MINUTE_MS);
    expect(engine.marketTime()).toBe(START + 2000 + MINUTE_MS);
  });

  test("alone may accept a clock", async () => {
    const { engine, set, client, contractId } = await started();
    set(DAY_MS);
    expect(await submit(client, contractId)).toMatchObject({ code: "clock_jumped" });
    const { exitCode, stderr } = await runMktHere(["accept-clock"], environmentOf(engine, VIEWER));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("Market.Operate")]);
    expect(await submit(client, contractId)).toMatchObject({ code: "clock_jumped" });
  });
});

test("a start follows the clock, and logs how long ago the engine's last call was", async () => {
  const { engine, data, own, set, lines } = await startedWith();
  await engine.stop();
  set(3 * DAY_MS);
  const again = await startedWith({ data }, own);
  expect(again.engine.marketTime()).toBe(START + 3 * DAY_MS);
  expect(lines).toContainEqual(
    `the engine's last call was 3 days ago, at ${new Date(START).toISOString()}; market time follows the clock`,
  );
});
