import { describe, expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { scheduledMarket, USERS } from "../support/market.ts";
import { CLOSE, EVENING, marketAt, NEXT_OPEN, NEXT_PREOPEN, OPEN, PREOPEN } from "../support/sessions.ts";

const { alpha, beta, gamma, operator } = USERS;

describe("sessions", () => {
  test("the market goes through closed, preopen, open and closed; each change gives an event, a state and an audit event", () => {
    const engine = marketAt();
    const statuses = [engine.module("MARKET", "M1").status];
    for (let change = 0; change < 4; change++) {
      const deadline = engine.engine.nextDeadline() ?? NaN;
      const changed = engine.advanceTo(new Date(deadline).toISOString());
      expect([changed.eventTypes, changed.audited, changed.paths]).toEqual([
        ["change.market"],
        ["marketStatusChanged"],
        ["/MARKET/M1"],
      ]);
      statuses.push(engine.module("MARKET", "M1").status);
    }
    expect(statuses).toEqual(["closed", "preopen", "open", "closed", "preopen"]);
    expect(engine.now).toBe(Date.parse(NEXT_PREOPEN));
    expect(engine.module("MARKET", "M1")).toMatchObject({
      open: "2026-01-15T14:00:00.000Z",
      close: "2026-01-15T22:00:00.000Z",
    });
  });

  test("a market without a schedule is always open", () => {
    const engine = new EngineDriver();
    expect(engine.module("MARKET", "M1")).toMatchObject({ status: "open", preopen: null, open: null, close: null });
    expect(engine.advanceTo("2026-01-18T03:00:00Z").paths).toEqual([]);
  });

  test("an order sent in preopen is held: it is in the queue and not in the book", () => {
    const engine = marketAt(PREOPEN);
    const held = engine.buy(alpha, { price: 5, quantity: 1 });
    expect(held.order.status).toBe("held");
    expect(held.story).toEqual(["new.order ORD-1 held", "hold.order ORD-1 held"]);
    expect(held.audited).toEqual(["orderQueued", "orderHeld"]);
    expect(engine.module("QUEUE", "QUE-N-H12")).toMatchObject({ length: 1, orderIds: ["ORD-1"] });
    expect(engine.module("ENGINE", "ENG-N-H12")).toMatchObject({ heldOrders: 1, totalWorkingOrders: 0, bids: [] });
  });

  test("the open releases held orders in the order of their arrival, and they trade like arriving ones", () => {
    const engine = marketAt(PREOPEN);
    engine.buy(beta, { price: 7, quantity: 1 });
    engine.sell(alpha, { contractId: "S-PK", price: 5, quantity: 1 });
    engine.sell(alpha, { price: 5, quantity: 3 });
    engine.buy(gamma, { price: 6, quantity: 1 });
    expect(engine.all("TRADE")).toEqual([]);
    const opened = engine.advanceTo(OPEN);
    expect(opened.story).toEqual([
      "change.market M1 open",
      "release.order ORD-1 working",
      "release.order ORD-2 working",
      "release.order ORD-3 working",
      "new.trade TRD-1",
      "new.fill FIL-1 resting",
      "new.fill FIL-2 aggressor",
      "change.order ORD-1 filled",
      "change.order ORD-3 partial",
      "release.order ORD-4 working",
      "new.trade TRD-2",
      "new.fill FIL-3 resting",
      "new.fill FIL-4 aggressor",
      "change.order ORD-3 partial",
      "change.order ORD-4 filled",
      "change.book",
      "change.book",
    ]);
    expect(engine.all("TRADE").map(({ price }) => price)).toEqual([7, 5]);
    expect(engine.module("QUEUE", "QUE-N-H12")).toMatchObject({ length: 0, orderIds: [] });
  });

  test("a changed held order goes to the end of the queue, unless only its quantity is lowered", () => {
    const engine = marketAt(PREOPEN);
    for (const user of [alpha, beta, gamma]) engine.buy(user, { price: 5, quantity: 4 });
    const shrunk = engine.execute(alpha, "order.modify", { orderId: "ORD-1", quantity: 2 });
    const requeued = engine.execute(beta, "order.modify", { orderId: "ORD-2", price: 6 });
    expect([shrunk.story, requeued.story]).toEqual([["change.order ORD-1 held"], ["change.order ORD-2 held"]]);
    expect(engine.module("QUEUE", "QUE-N-H12").orderIds).toEqual(["ORD-1", "ORD-3", "ORD-2"]);
    engine.advanceTo(OPEN);
    expect(engine.module("ENGINE", "ENG-N-H12").bids).toEqual([
      { price: 6, volume: 4, orderCount: 1 },
      { price: 5, volume: 6, orderCount: 2 },
    ]);
  });

  test("day orders expire at the close, held ones too; gtc orders stay and trade the next day", () => {
    const engine = marketAt(OPEN);
    engine.buy(alpha, { price: 5, quantity: 1, timeInForce: "day" });
    engine.buy(alpha, { price: 4, quantity: 1 });
    const closed = engine.advanceTo(CLOSE);
    expect(closed.story).toEqual(["change.market M1 closed", "expire.order ORD-1 cancelled", "change.book"]);
    expect(closed.audited).toEqual(["marketStatusChanged", "orderExpired"]);
    expect(engine.order("ORD-1")).toMatchObject({ status: "cancelled", closeReason: "expired", remainingQuantity: 0 });
    expect(engine.order("ORD-2").status).toBe("working");
    engine.advanceTo(NEXT_OPEN);
    engine.sell(beta, { price: 4, quantity: 1 });
    expect(engine.order("ORD-2").status).toBe("filled");
  });

  test("orders can be cancelled in every state of the market", () => {
    for (const [time, halted] of [[PREOPEN, false], [OPEN, false], [EVENING, false], [OPEN, true]] as const) {
      const engine = marketAt(time === PREOPEN ? PREOPEN : OPEN);
      engine.buy(alpha, { price: 5, quantity: 1 });
      if (halted) engine.execute(operator, "market.halt", {});
      engine.advanceTo(time);
      expect(engine.execute(alpha, "order.cancel", { orderId: "ORD-1" }).outcome).toBe("ok");
      expect(engine.module("QUEUE", "QUE-N-H12").length).toBe(0);
    }
  });

  test("a late call carries out every change in its order", () => {
    const engine = marketAt(PREOPEN);
    engine.buy(alpha, { price: 5, quantity: 1, timeInForce: "day" });
    const late = engine.advanceTo("2026-01-16T14:30:00Z");
    expect(late.eventTypes.filter((type) => type !== "change.market")).toEqual([
      "release.order",
      "expire.order",
      "change.book",
    ]);
    expect(late.eventTypes.filter((type) => type === "change.market")).toHaveLength(7);
    expect(engine.module("MARKET", "M1").status).toBe("open");
  });

  test("an overnight session holds, matches and expires orders across midnight", () => {
    const schedule = { days: ["wed", "thu"], preopen: "21:00", open: "22:00", close: "06:00" };
    const engine = new EngineDriver(scheduledMarket(schedule));
    engine.now = Date.parse("2026-01-15T02:00:00Z");
    expect(engine.buy(alpha, { price: 5, quantity: 1, timeInForce: "day" }).order.status).toBe("held");
    const night = engine.advanceTo("2026-01-15T03:00:00Z");
    expect(night.eventTypes).toEqual(["change.market", "release.order", "change.book"]);
    expect(engine.advanceTo("2026-01-15T10:59:59.999Z").eventTypes).toEqual([]);
    const morning = engine.advanceTo("2026-01-15T11:00:00Z");
    expect(morning.eventTypes).toEqual(["change.market", "expire.order", "change.book"]);
    expect(engine.module("MARKET", "M1")).toMatchObject({ status: "closed", open: "2026-01-16T03:00:00.000Z" });
  });

  test("day orders expire even if a clock change lets the next session begin at the close", () => {
    // On 8 March 2026 there is no time from 02:00 to 03:00 in New York: close and preopen are both at 03:00.
    const definition = scheduledMarket({ days: ["sat", "sun"], preopen: "02:40", open: "03:30", close: "02:20" });
    const engine = new EngineDriver({
      ...definition,
      contracts: definition.contracts.map((contract) => ({
        ...contract,
        deliveryStart: "2026-04-01T00:00:00Z",
        deliveryEnd: "2026-04-01T16:00:00Z",
      })),
    });
    engine.advanceTo("2026-03-08T06:00:00Z");
    engine.buy(alpha, { price: 5, quantity: 1, timeInForce: "day" });
    const close = engine.advanceTo("2026-03-08T07:00:00Z");
    expect(close.eventTypes).toEqual(["change.market", "expire.order", "change.book"]);
    expect(engine.module("MARKET", "M1").status).toBe("preopen");
  });

  test("both changes of daylight saving keep the local hours of the session", () => {
    const engine = marketAt();
    const opens: string[] = [];
    for (const friday of ["2026-03-06T12:00:00Z", "2026-10-30T11:00:00Z"]) {
      engine.advanceTo(friday);
      for (let change = 0; change < 5; change++) {
        engine.advanceTo(new Date(engine.engine.nextDeadline() ?? NaN).toISOString());
        const { status } = engine.module("MARKET", "M1");
        if (status === "open") opens.push(new Date(engine.now).toISOString());
      }
    }
    expect(opens).toEqual([
      "2026-03-06T14:00:00.000Z",
      "2026-03-09T13:00:00.000Z",
      "2026-10-30T13:00:00.000Z",
      "2026-11-02T14:00:00.000Z",
    ]);
  });
});

test("sessions of several markets that change at the same time change in the order of the markets", () => {
  const definition = scheduledMarket();
  const [market] = definition.markets;
  const later = { ...market!.schedule!, open: "09:30" };
  const others = [["M2", market!.schedule!], ["M3", later], ["M4", market!.schedule!]] as const;
  const markets = [market!, ...others.map(([id, schedule]) => ({ ...market!, id, code: id, schedule }))];
  const engine = new EngineDriver({ ...definition, markets });
  const changed = ["2026-01-14T14:00:00Z", "2026-01-14T14:30:00Z"].map((time) =>
    engine.advanceTo(time).dataOf("change.market").map(({ marketId, status }) => `${marketId} ${status}`)
  );
  expect(changed).toEqual([
    ["M1 preopen", "M2 preopen", "M3 preopen", "M4 preopen", "M1 open", "M2 open", "M4 open"],
    ["M3 open"],
  ]);
});

describe("a call that comes after several changes of the schedule", () => {
  function eventTimes(engine: EngineDriver, until: string): [string, string][] {
    return engine.advanceTo(until).events.map(({ type, time }): [string, string] => [type, time.slice(11, 16)]);
  }

  function withHeldOrders(): EngineDriver {
    const engine = marketAt(PREOPEN);
    engine.buy(alpha, { price: 5, quantity: 1, timeInForce: "day" });
    return engine;
  }

  test("gives each change its own time if market time runs apart from real time, and its own to what follows", () => {
    const engine = withHeldOrders();
    engine.setClock({ mode: "fast", speed: 60 });
    expect(eventTimes(engine, EVENING)).toEqual([
      ["change.market", "14:00"],
      ["release.order", "14:00"],
      ["change.market", "22:00"],
      ["expire.order", "22:00"],
      ["change.book", "23:00"],
    ]);
    expect(engine.order("ORD-1").updatedAt).toBe(new Date(CLOSE).toISOString());
    expect(engine.module("ENGINE", "ENG-N-H12").lastUpdate).toBe(new Date(EVENING).toISOString());
  });

  test("gives all its own time if the market runs in real time", () => {
    const engine = withHeldOrders();
    expect(eventTimes(engine, EVENING).map(([, time]) => time)).toEqual(Array(5).fill("23:00"));
    expect(engine.order("ORD-1").updatedAt).toBe(new Date(EVENING).toISOString());
  });
});

test("a halted market lets day orders expire at its close without telling of the session, and no others", () => {
  const engine = marketAt(OPEN);
  engine.buy(alpha, { price: 5, quantity: 1, timeInForce: "day" });
  engine.buy(alpha, { price: 4, quantity: 1 });
  engine.execute(operator, "market.halt", {});
  engine.buy(beta, { price: 3, quantity: 1, timeInForce: "day" });
  const closed = engine.advanceTo(CLOSE);
  expect(closed.story).toEqual(["expire.order ORD-1 cancelled", "expire.order ORD-3 cancelled", "change.book"]);
  expect(closed.audited).toEqual(["orderExpired", "orderExpired"]);
  expect(engine.order("ORD-2").status).toBe("working");
  engine.buy(beta, { price: 3, quantity: 1, timeInForce: "day" });
  // A day order of the halt waits for the session that follows.
  expect(engine.advanceTo(NEXT_PREOPEN).story).toEqual([]);
  expect(engine.advanceTo(NEXT_OPEN).story).toEqual([]);
  expect(engine.order("ORD-4").status).toBe("held");
});

test("contracts that leave the market in one call are all forgotten, with their orders, trades and fills", () => {
  const engine = new EngineDriver();
  for (const contractId of ["N-H12", "S-PK"]) {
    engine.sell(alpha, { contractId, price: 5, quantity: 1 });
    engine.buy(beta, { contractId, price: 5, quantity: 1 });
  }
  const removed = engine.advanceTo("2026-02-01T00:00:00Z");
  expect(removed.removed.toSorted()).toEqual([
    "/CONTRACT/N-H12",
    "/CONTRACT/S-PK",
    "/ENGINE/ENG-N-H12",
    "/ENGINE/ENG-S-PK",
    ...[1, 2, 3, 4].map((number) => `/FILL/FIL-${number}`),
    ...[1, 2, 3, 4].map((number) => `/ORDER/ORD-${number}`),
    "/QUEUE/QUE-N-H12",
    "/QUEUE/QUE-S-PK",
    "/TRADE/TRD-1",
    "/TRADE/TRD-2",
  ]);
  expect([engine.all("CONTRACT"), engine.all("ORDER"), engine.all("TRADE"), engine.all("FILL")]).toEqual([
    [],
    [],
    [],
    [],
  ]);
});

test("the end of a delivery lets all pairs trade whose credit it frees", () => {
  const engine = new EngineDriver();
  for (const [user, pairs] of [[alpha, ["ALPHA:BETA", "ALPHA:GAMMA"]]] as const) {
    for (const pair of pairs) engine.setLimit(user, pair, { limit: 1 });
  }
  engine.sell(beta, { price: 5, quantity: 1 });
  engine.sell(gamma, { price: 5, quantity: 1 });
  engine.buy(alpha, { price: 5, quantity: 2 });
  expect(engine.all("TRADE")).toHaveLength(2);
  engine.sell(gamma, { contractId: "S-PK", price: 5, quantity: 1 });
  engine.sell(beta, { contractId: "S-PK", price: 5, quantity: 1 });
  engine.buy(alpha, { contractId: "S-PK", price: 5, quantity: 3 });
  expect(engine.all("TRADE")).toHaveLength(2);
  expect(engine.credit("ALPHA", "GAMMA")).toMatchObject({ tradable: false });
  const freed = engine.advanceTo("2026-01-20T18:00:00Z");
  expect(freed.dataOf("new.trade").map(({ sellEntityId, quantity }) => [sellEntityId, quantity]))
    .toEqual([["GAMMA", 1], ["BETA", 1]]);
});
