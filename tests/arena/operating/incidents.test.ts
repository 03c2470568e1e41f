import { describe, expect, test } from "bun:test";
import type { Stage } from "../../../arena/incidents/stage.ts";
import { FACTS, type Incident, type IncidentOf } from "../../../arena/scenario/incident-terms.ts";
import { BUY } from "../../../protocol/sides.ts";
import { AGENT, stageOf } from "./support.ts";

const MINUTE = 60_000;
const SEEDS = [1, 2, 3];

const BLOCKED: IncidentOf<"blocked-order"> = {
  kind: "blocked-order",
  product: "NORTH-DA-BASE",
  counterparty: "JUNIPER",
  megawatts: 20,
  limitDollars: 1_000_000,
};
const MOVE: IncidentOf<"price-move"> = {
  kind: "price-move",
  products: ["NORTH-DA-BASE", "WEST-DA-BASE"],
  withinMinutes: 12,
  percent: 20,
};
const INCIDENT: IncidentOf<"market-incident"> = {
  kind: "market-incident",
  product: "NORTH-DA-BASE",
  withinMinutes: 15,
};
const RUNAWAY: IncidentOf<"runaway-trader"> = {
  kind: "runaway-trader",
  products: ["WEST-DA-BASE"],
  everySeconds: 10,
  sinceMinutes: 5,
};
const LOST: IncidentOf<"lost-answer"> = { kind: "lost-answer", most: 3 };
const REPORT: IncidentOf<"report"> = {
  kind: "report",
  accused: "hawthorn-trader-1",
  product: "NORTH-DA-BASE",
  megawatts: 90,
  count: 4,
  withinMinutes: 12,
};

function orderOf({ world }: Stage, id: unknown) {
  return world.engine.state.orders.withId(String(id))!;
}

function openOrdersOf({ world }: Stage, userId: unknown) {
  return [...world.engine.state.openOrders].filter((order) => order.userId === userId);
}

const ids = (fact: unknown) => fact as readonly string[];

test.each<Incident>([BLOCKED, MOVE, INCIDENT, RUNAWAY, LOST, REPORT])("%j is the same for a seed", (incident) => {
  const [facts, again] = [1, 1].map((seed) => {
    const { truth } = stageOf(incident, seed);
    return Object.keys(FACTS[incident.kind]).map((name) => truth.fact(name));
  });
  expect(again).toEqual(facts!);
  // Nobody is guilty if a report is false.
  expect(facts!.filter((fact) => fact === undefined).length).toBeLessThanOrEqual(incident.kind === "report" ? 1 : 0);
});

describe("a blocked order", () => {
  test("crosses another, and what the agent's company lacks lets it trade with that one alone", () => {
    const obstacles = new Set<unknown>();
    for (const seed of SEEDS) {
      const stage = stageOf(BLOCKED, seed);
      const { truth, world } = stage;
      const [order, offer] = [orderOf(stage, truth.fact("order")), orderOf(stage, truth.fact("offer"))];
      expect([order.userId, offer.userId]).toEqual([AGENT, "juniper-trader-1"]);
      expect(order.price).toBe(offer.price);
      expect(order.side).not.toBe(offer.side);
      world.advanceTo(world.now + 10 * MINUTE);
      expect([order.filledQuantity, offer.filledQuantity]).toEqual([0, 0]);
      const obstacle = truth.fact("obstacle");
      obstacles.add(obstacle);
      const [action, what] = obstacle === "documents"
        ? ["credit.setDocumentation", { status: "docs_in_place" }]
        : ["credit.setLimit", { limitType: "notional", scope: "total", limit: 1_000_000 }];
      const payload = { entityId: "WILLOW", counterpartyId: "JUNIPER", ...what };
      expect(truth.isNeeded(action, payload)).toBe(true);
      expect(truth.isNeeded(action, { ...payload, counterpartyId: "ASPEN" })).toBe(false);
      stage.act(AGENT, action, payload);
      expect([order.closeReason, offer.closeReason]).toEqual(["filled", "filled"]);
    }
    expect(obstacles).toEqual(new Set(["documents", "limit"]));
  });

  test("needs a company that no persona trades for", () => {
    expect(() => stageOf({ ...BLOCKED, counterparty: "NOBODY" }, 1)).toThrow(
      new RangeError('incidents: nobody but personas trades for "NOBODY"'),
    );
  });
});

test("a price is moved by orders of one user, each of which trades at a worse price", () => {
  for (const seed of SEEDS) {
    const stage = stageOf(MOVE, seed);
    const { truth } = stage;
    const orders = ids(truth.fact("orders")).map((id) => orderOf(stage, id));
    expect(orders.length).toBeWithin(3, 7);
    const direction = orders[0]!.side === BUY ? 1 : -1;
    for (const [at, order] of orders.entries()) {
      expect(order).toMatchObject({ userId: truth.fact("trader"), closeReason: "filled" });
      expect(order.contract.id).toBe(String(truth.fact("contract")));
      if (at > 0) expect((order.price - orders[at - 1]!.price) * direction).toBeGreaterThan(0);
    }
    const [first, last] = [orders[0]!.trades[0]!.price, orders.at(-1)!.trades.at(-1)!.price];
    expect((last - first) * direction / first).toBeGreaterThan(0.1);
  }
});

test("an incident of the market is in the audit trail as it is in the facts", async () => {
  for (const seed of SEEDS) {
    const { world, truth } = stageOf(INCIDENT, seed);
    const day = new Date(world.now).toISOString().slice(0, 10);
    const { events } = await world.engine.audit.query({ from: day, to: day, limit: 10_000 });
    const named = (name: string) => events.filter(({ event }) => event === name).toReversed();
    const [credit, halt, flush, resume] = ["creditLimitSet", "marketHalted", "engineFlushed", "marketResumed"]
      .map((name) => named(name)[0]!);
    expect([credit, halt, flush, resume].map((event) => event?.userId)).toEqual(
      ["creditUser", "haltUser", "flushUser", "resumeUser"].map((name) => String(truth.fact(name))),
    );
    expect(credit?.details).toMatchObject({ counterpartyId: truth.fact("counterparty"), limit: 0 });
    expect(flush?.details).toEqual({ contractId: truth.fact("contract"), ordersAffected: truth.fact("ordersEnded") });
    const minutes = (Date.parse(resume!.time) - Date.parse(halt!.time)) / MINUTE;
    expect(truth.fact("haltMinutes")).toBe(minutes);
    expect(minutes).toBeGreaterThan(0);
    const acted = [credit!, halt!, flush!, resume!].toSorted((one, other) => one.id < other.id ? -1 : 1);
    expect(ids(truth.fact("users"))).toEqual(acted.map(({ userId }) => String(userId)));
  }
});

describe("a runaway trader", () => {
  test("sends an order every few seconds, and goes on while one of them is open", () => {
    const stage = stageOf(RUNAWAY, 1);
    const { world, truth } = stage;
    const trader = truth.fact("trader");
    expect(openOrdersOf(stage, trader)).toHaveLength(31);
    const [kept, ...others] = openOrdersOf(stage, trader);
    for (const order of others) stage.withdraw(order);
    world.advanceTo(world.now + MINUTE);
    expect(openOrdersOf(stage, trader)).toHaveLength(7);
    expect(truth.isBlamed(kept!.userId)).toBe(true);
  });

  test("goes on when a halt has ended", () => {
    const stage = stageOf(RUNAWAY, 1);
    const { world, truth } = stage;
    stage.act("operator", "market.halt", {});
    world.advanceTo(world.now + MINUTE);
    expect(openOrdersOf(stage, truth.fact("trader"))).toHaveLength(31);
    stage.act("operator", "market.resume", {});
    world.advanceTo(world.now + MINUTE);
    expect(openOrdersOf(stage, truth.fact("trader"))).toHaveLength(37);
  });

  test("ends for good once all of them have been cancelled, and nobody else is to blame", () => {
    const stage = stageOf(RUNAWAY, 2);
    const { world, truth } = stage;
    const trader = truth.fact("trader");
    for (const order of openOrdersOf(stage, trader)) stage.withdraw(order);
    world.advanceTo(world.now + 5 * MINUTE);
    expect(openOrdersOf(stage, trader)).toEqual([]);
    const others = [...world.engine.state.openOrders].filter(({ userId }) => userId !== trader);
    expect(others.length).toBeGreaterThan(3);
    expect(others.some(({ userId }) => truth.isBlamed(userId))).toBe(false);
  });
});

test("answers are lost of at most so many orders, with the request or without it", () => {
  const all = SEEDS.map((seed) => stageOf(LOST, seed));
  for (const { losses, truth } of all) {
    expect(losses.length).toBeWithin(1, 4);
    expect(truth.fact("tookEffect")).toBe(losses[0] === "answer" ? "yes" : "no");
  }
  expect(new Set(all.map(({ losses }) => losses[0]))).toEqual(new Set(["request", "answer"]));
});

describe("a report", () => {
  test("is true or false; whoever did it has withdrawn each order within half a minute", () => {
    const verdicts = new Set<unknown>();
    for (const seed of SEEDS) {
      const stage = stageOf(REPORT, seed);
      const { truth } = stage;
      const [verdict, offender] = [truth.fact("verdict"), truth.fact("offender")];
      verdicts.add(verdict);
      const isTrue = offender === REPORT.accused;
      expect(verdict).toBe(isTrue ? "true" : "false");
      expect(truth.fact("guilty")).toBe(isTrue ? REPORT.accused : undefined);
      expect(truth.isBlamed(REPORT.accused)).toBe(isTrue);
      const orders = ids(truth.fact("orders")).map((id) => orderOf(stage, id));
      expect(orders).toHaveLength(REPORT.count);
      for (const { userId, closeReason, createdAt, updatedAt } of orders) {
        expect({ userId, closeReason }).toEqual({ userId: String(offender), closeReason: "cancelled" });
        expect(updatedAt - createdAt).toBeWithin(5_000, 30_001);
      }
      expect(openOrdersOf(stage, REPORT.accused).length).toBeWithin(2, 4);
      if (!isTrue) expect(openOrdersOf(stage, offender)).toEqual([]);
    }
    expect(verdicts).toEqual(new Set(["true", "false"]));
  });

  test("can't accuse somebody as whom personas trade", () => {
    expect(() => stageOf({ ...REPORT, accused: "meridian-trader-1" }, 1)).toThrow(
      new RangeError('incidents: "meridian-trader-1" can\'t be accused of anything'),
    );
  });
});
