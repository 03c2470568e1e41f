// The behaviour of a persona: what it sends, when it waits, and how it recovers.

import { describe, expect, test } from "bun:test";
import { Activity } from "../../../sim/personas/activity.ts";
import { AssignmentMandate } from "../../../sim/personas/assignment-mandate.ts";
import { type Assignment, Assignments } from "../../../sim/personas/assignments.ts";
import type { Mandate } from "../../../sim/personas/mandate.ts";
import { MarketListeners } from "../../../sim/personas/market-listeners.ts";
import type { PersonaAction } from "../../../sim/personas/persona.ts";
import type { ParentOrderSettings } from "../../../sim/personas/settings.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { MarketUpdate, Strategy } from "../../../sim/strategies/strategy.ts";
import {
  always,
  CALENDARS,
  contract,
  firstOrder,
  HOUR,
  personaWith,
  profileOf,
  quotingPersona,
  START,
  view,
} from "./support.ts";

const MINUTE = HOUR / 60;
const QUOTES = always(3_900, 5_000, 4_100, 5_000);
const later = (ms: number) => view({ time: START + ms });

describe("a contract that goes to delivery", () => {
  test("no longer counts against limits, and is settled when it is removed", () => {
    const limits = { contractPositionMw: 10, totalPositionMw: 10 };
    const contracts = [contract(0), contract(1)];
    const persona = personaWith({ contracts, strategy: always(4_000, 10_000, 0, 0), limits });
    const asked = () => Array.from({ length: 20 }, () => persona.act(view())).flat();
    const { contract: near, reference } = firstOrder(persona);
    persona.onAccepted(reference);
    persona.onFill(reference, 4_000, 10_000);
    expect(asked()).toEqual([]);
    persona.onDelivery(near);
    expect(asked()[0]).toMatchObject({ kind: "submit", quantity: 10_000 });
    persona.onRemoved(near, () => 5_000);
    expect([...persona.account.holdings]).toEqual([]);
    expect(persona.account.cash).toBe(1_000 * 10_000 * near.minutes);
  });

  test("is forgotten by the mandate, also if the persona has never acted in it", () => {
    const never = contract(1);
    const forgotten: string[] = [];
    const forget: Mandate["forget"] = ({ id }) => void forgotten.push(id);
    const mandate: Mandate = { wake: () => {}, next: () => null, review: () => {}, forget };
    const persona = personaWith({ contracts: [contract(0), never], mandate });
    persona.act(view());
    persona.onDelivery(never);
    expect(forgotten).toEqual([never.id]);
  });

  test("has its orders withdrawn once it is no longer traded", () => {
    const hour = contract(0, { type: "hour" });
    const persona = personaWith({ contracts: [hour], strategy: always(4_000, 1_000, 0, 0) });
    const { reference } = firstOrder(persona);
    persona.onAccepted(reference);
    expect(persona.act(later(24 * HOUR - 5 * MINUTE - 1))).toEqual([]);
    expect(persona.act(later(24 * HOUR - 5 * MINUTE))).toEqual([{ kind: "cancel", reference }]);
    expect(persona.act(later(24 * HOUR - MINUTE))).toEqual([]);
  });
});

describe("a persona that can't trade", () => {
  test("sends nothing while the market is not open, and resumes after that", () => {
    const persona = personaWith({ strategy: QUOTES });
    expect(persona.act(view({ isOpen: () => false }))).toEqual([]);
    expect(persona.act(later(1))).toHaveLength(2);
  });

  test("withdraws its orders while its entity has no credit, and resumes after that", () => {
    const { persona, bid, ask } = quotingPersona();
    const actions = persona.act(view({ time: START + 1, creditExhausted: true }));
    expect(actions).toEqual([{ kind: "cancel", reference: bid }, { kind: "cancel", reference: ask }]);
    for (const { reference } of actions) persona.onClosed(reference);
    expect(persona.act(view({ time: START + 2, creditExhausted: true }))).toEqual([]);
    expect(persona.act(later(3))).toHaveLength(2);
  });

  test.each(["market_closed", "forbidden", "not_open"])("waits longer after each refusal: %s", (code) => {
    const persona = personaWith({ strategy: always(3_900, 5_000, 0, 0) });
    const refusals: number[] = [];
    for (let time = 0; refusals.length < 8; time += 1_000) {
      const [action] = persona.act(later(time));
      if (action === undefined) continue;
      persona.onRefused(action.reference, action.kind, code);
      refusals.push(time);
    }
    const waits = refusals.slice(1).map((time, at) => time - (refusals[at] ?? 0));
    expect(waits).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 640_000]);
    expect(persona.counts.rejected).toBe(8);
  });

  test("waits the shortest time again after an accepted order", () => {
    const persona = personaWith({ strategy: always(3_900, 5_000, 0, 0) });
    const answer = (time: number, accept: boolean): number => {
      const [action] = persona.act(later(time));
      if (action === undefined) return 0;
      if (accept) {
        persona.onAccepted(action.reference);
        persona.onClosed(action.reference);
      } else persona.onRefused(action.reference, action.kind, "market_closed");
      return 1;
    };
    expect(answer(0, false) + answer(10_000, false) + answer(30_000, true) + answer(30_001, false)).toBe(4);
    expect([answer(40_000, false), answer(40_001, false)]).toEqual([0, 1]);
  });

  test.each([
    ["only in the contract that a refusal concerns", "invalid_price", true],
    ["in all contracts after a refusal that concerns none", "forbidden", false],
  ])("waits %s", (_where, code, tradesElsewhere) => {
    const persona = personaWith({ contracts: [contract(0), contract(1)], strategy: always(3_900, 5_000, 0, 0) });
    const first = firstOrder(persona);
    persona.onRefused(first.reference, "submit", code);
    const sent: PersonaAction[] = [];
    for (let time = 1; time < 60; time++) sent.push(...persona.act(later(time)));
    const places = sent.map((action) => action.kind === "submit" && action.contract.index);
    expect(places).toEqual(tradesElsewhere ? [1 - first.contract.index] : []);
  });

  test("forgets its orders after a lost connection, and quotes again", () => {
    const { persona, bid } = quotingPersona();
    persona.onFill(bid, 3_900, 1_000);
    persona.onDisconnected();
    expect(persona.workingOrders).toBe(0);
    expect(persona.account.position(contract(0))).toBe(1_000);
    expect(persona.act(later(1))).toHaveLength(2);
  });
});

describe("a persona's strategy", () => {
  test("learns from updates of contracts that the persona trades, with the market from before each update", () => {
    const updates: [MarketUpdate, number | null][] = [];
    const persona = personaWith({
      contracts: [contract(0)],
      strategy: {
        quote: () => {},
        observe: ({ side, price, quantity, isTrade }, { bestBid }) =>
          updates.push([{ side, price, quantity, isTrade }, bestBid]),
      },
    });
    const update = { side: 0 as const, price: 3_990, quantity: 1_000, isTrade: false };
    const seen = view({ book: () => ({ bestBid: 3_980, bestAsk: null, lastPrice: null }) });
    persona.onMarketUpdate({ ...update, contract: contract(0) }, seen);
    persona.act(view());
    persona.onMarketUpdate({ ...update, contract: contract(0) }, seen);
    persona.onMarketUpdate({ ...update, contract: contract(1) }, seen);
    expect(updates).toEqual([[update, 3_980]]);
  });
});

describe("a persona with assignments", () => {
  const contracts = [contract(0), contract(1, { productId: "P1" })];
  const parentOrders = { intervalMs: 20 * MINUTE, lifeMs: 30 * MINUTE, need: 0.05, leastLots: 2, mostLots: 50 };

  const mandateWith = (parentOrders: ParentOrderSettings, fullPosition: number) =>
    new AssignmentMandate({
      random: new SeededRandom(3),
      profile: profileOf(contracts, ["NORTH"], 2),
      activity: new Activity(CALENDARS, ["NORTH"]),
      assignments: new Assignments(),
      parentOrders,
      fullPosition,
    });

  test("works each in child orders within its limits, and gets them at times and of sizes of its own, with a heavy tail", () => {
    // Decisions each minute, in a market that fills orders at once.
    const children = new Map<Assignment, number>();
    const limits = { contractPositionMw: 100_000, totalPositionMw: 100_000 };
    const persona = personaWith({ contracts, mandate: mandateWith(parentOrders, 200_000_000), seed: 5, limits });
    const days = 20;
    for (let time = START - days * 24 * HOUR; time < START; time += MINUTE) {
      for (const action of persona.act(view({ time }))) {
        const { reference, kind } = action;
        persona.onAccepted(reference);
        if (kind === "cancel") persona.onClosed(reference);
        const assignment = persona.assignmentOf(reference);
        if (action.kind === "cancel" || assignment === null) continue;
        const gain = (assignment.side === 0 ? 1 : -1) * (assignment.limitPrice - action.price);
        expect(gain).toBeGreaterThanOrEqual(0);
        expect(assignment.remaining).toBeGreaterThanOrEqual(action.quantity);
        children.set(assignment, (children.get(assignment) ?? 0) + 1);
        persona.onFill(reference, action.price, action.quantity);
      }
    }
    const counts = [...children.values()];
    expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeWithin(1.5, 4);
    const assigned = [...children.keys()];
    expect(assigned.length / days).toBeWithin(40, 72);
    const lots = assigned.map(({ quantity }) => quantity / 1_000).toSorted((a, b) => a - b);
    expect(lots[0]).toBe(2);
    expect(lots[Math.floor(lots.length / 2)] ?? NaN).toBeWithin(2, 5);
    expect(lots.at(-1) ?? NaN).toBeWithin(25, 51);
    const buys = assigned.filter(({ side }) => side === 0).length;
    expect(buys / assigned.length).toBeWithin(0.4, 0.6);
  });

  test("hears market updates only while it has one", () => {
    const listeners = new MarketListeners();
    const strategy: Strategy = { quote: () => {}, observe: () => {} };
    const mandate = mandateWith({ ...parentOrders, lifeMs: 5 * MINUTE }, 200_000);
    const persona = personaWith({ contracts, strategy, sides: "one", mandate, listeners });
    let heard = 0;
    const steps = 24 * 60;
    for (let step = 0; step < steps; step++) {
      persona.act(view({ time: START - 24 * HOUR + step * MINUTE }));
      heard += contracts.filter((each) => listeners.isHeard(each, false)).length;
    }
    expect(heard / (2 * steps)).toBeWithin(0.02, 0.4);
  });
});

describe("a persona's pace", () => {
  test.each(["exponential", "jittered"] as const)("is %s around its mean, in whole milliseconds", (kind) => {
    const persona = personaWith({ pace: { kind, meanMs: 2_000 } });
    const delays = Array.from({ length: 20_000 }, () => persona.nextDelayMs(START));
    const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
    expect(mean).toBeWithin(1_940, 2_060);
    expect(delays.every((delay) => Number.isInteger(delay) && delay >= 1)).toBeTrue();
    const furthest = Math.max(...delays);
    if (kind === "jittered") expect(furthest).toBeLessThanOrEqual(2_500);
    else expect(furthest).toBeGreaterThan(10_000);
  });
});
