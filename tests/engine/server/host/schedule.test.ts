import { describe, expect, test } from "bun:test";
import type { MarketDefinition } from "../../../../engine/definition/market-definition.ts";
import { WEEKDAYS } from "../../../../engine/market/session-schedule.ts";
import { ACTING_USER_HEADER, PATHS } from "../../../../protocol/index.ts";
import { BUYER, connect, OPERATOR, restingBuy, serveTestEngine, VIEWER } from "../harness.ts";
import { until } from "../../../support/until.ts";
import { SteppedTimers } from "./stepped-timers.ts";

/** A clock that starts at `time` and runs like the real one. `move` sets it forward or back. */
function clockFrom(time: string) {
  let offset = Date.parse(time) - Date.now();
  return { now: () => Date.now() + offset, move: (milliseconds: number) => void (offset += milliseconds) };
}

/** A market in UTC that opens at 09:00 and closes at 17:00. */
function withSessions(definition: MarketDefinition): MarketDefinition {
  const schedule = { days: [...WEEKDAYS], preopen: "08:00", open: "09:00", close: "17:00" };
  return { ...definition, markets: definition.markets.map((market) => ({ ...market, timezone: "UTC", schedule })) };
}

const statuses = (client: Awaited<ReturnType<typeof connect>>) =>
  client.events.flatMap(({ type, data }) => type === "change.market" ? [data["status"]] : []);

describe("the schedule", () => {
  test("begins a session without any request or connection", async () => {
    const engine = serveTestEngine({ now: clockFrom("2026-03-02T08:59:59.900Z").now }, withSessions);
    await until(() => engine.engine.sequence > engine.epoch, "the open");
    const client = await connect(engine, VIEWER, { resume: { epoch: engine.epoch, sequence: engine.epoch } });
    await until(() => statuses(client).length > 0, "the open");
    expect(statuses(client)).toEqual(["open"]);
  });

  test("is executed before a later request, even if its timer has not fired yet", async () => {
    const clock = clockFrom("2026-03-02T16:00:00Z");
    const engine = serveTestEngine({ now: clock.now }, withSessions);
    const [client, watcher] = [await connect(engine, BUYER), await connect(engine, VIEWER)];
    clock.move(2 * 3_600_000);
    const response = await client.request("order.submit", restingBuy(engine.contractId));
    expect(response).toMatchObject({ status: "rejected", code: "market_closed" });
    await watcher.settled();
    expect(statuses(watcher)).toEqual(["closed"]);
  });

  test("is executed before the snapshot of a later connection", async () => {
    const clock = clockFrom("2026-03-02T16:00:00Z");
    const engine = serveTestEngine({ now: clock.now }, withSessions);
    clock.move(2 * 3_600_000);
    const client = await connect(engine, VIEWER);
    expect(client.states.find(({ statePath }) => statePath.startsWith("/MARKET/"))?.state?.["status"]).toBe("closed");
  });

  test("never goes back in time, even if the clock does", async () => {
    const clock = clockFrom("2026-03-02T12:00:00Z");
    const engine = serveTestEngine({ now: clock.now }, withSessions);
    const client = await connect(engine, BUYER);
    await client.request("order.submit", restingBuy(engine.contractId));
    clock.move(-6 * 3_600_000);
    const response = await client.request("order.submit", restingBuy(engine.contractId));
    expect(response.status).toBe("ok");
    await client.settled();
    const times = client.messages.flatMap((message) => "time" in message ? [message.time] : []);
    expect(times).toEqual(times.toSorted());
  });
});

test("opens a market after the clock steps forward, without a request", async () => {
  const timers = new SteppedTimers();
  const clock = { offset: Date.parse("2026-03-02T08:00:00Z") };
  const now = () => timers.processTime + clock.offset;
  const engine = serveTestEngine({ now, timers }, withSessions);
  const client = await connect(engine, VIEWER);
  clock.offset = Date.parse("2026-03-02T09:00:00Z") - timers.processTime;
  timers.pass(500);
  await until(() => statuses(client).length > 0, "the open");
  expect(statuses(client)).toEqual(["open"]);
});

test("is carried out before whatever reads the market next, although no timer has fired", async () => {
  let now = Date.parse("2026-03-02T07:00:00Z");
  const engine = serveTestEngine({ now: () => now, timers: new SteppedTimers() }, withSessions);
  const client = await connect(engine, OPERATOR);
  const get = async (path: string) =>
    await (await fetch(`${engine.url}${path}`, { headers: { [ACTING_USER_HEADER]: OPERATOR } })).text();
  const reads: Record<string, () => Promise<unknown>> = {
    entities: () => get(PATHS.entities),
    users: () => get(PATHS.users),
    positions: () => get("/api/admin/entities/RIVERBEND/positions"),
    "an order that does not trade": () => get("/api/admin/orders/ORD-1/blocks"),
    "another connection of a user": () => connect(engine, OPERATOR),
    "the first connection of a user": () => connect(engine, VIEWER),
    "a request": () => client.request("order.cancel", { orderId: "ORD-1" }),
  };
  // Preopen, open, close: one of them each time.
  const changes = ["02T08:30", "02T12:00", "02T20:00", "03T08:30", "03T12:00", "03T20:00", "04T08:30"];
  for (const [at, [name, read]] of Object.entries(reads).entries()) {
    const before = engine.engine.sequence;
    now = Date.parse(`2026-03-${changes[at]}:00Z`);
    await read();
    expect([name, engine.engine.sequence > before]).toEqual([name, true]);
  }
  await client.settled();
  expect(statuses(client)).toEqual(["preopen", "open", "closed", "preopen", "open", "closed", "preopen"]);
});

test("goes on without a request once a clock that had jumped is right again, and not before", async () => {
  const timers = new SteppedTimers();
  const start = Date.parse("2026-03-02T08:59:00Z");
  let jumpMs = 0;
  const now = () => start + timers.processTime + jumpMs;
  const engine = serveTestEngine(
    { now, steadyNow: () => timers.processTime, maxClockJumpMs: 60_000, timers },
    withSessions,
  );
  const client = await connect(engine, VIEWER);
  jumpMs = 2 * 86_400_000;
  timers.pass(120_000);
  await client.settled();
  expect(statuses(client)).toEqual([]);
  jumpMs = 0;
  timers.pass(1_000);
  await client.settled();
  expect(statuses(client)).toEqual(["open"]);
});
