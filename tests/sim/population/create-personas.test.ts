// What the personas of a run are made with: their strategies, sizes, assets and companions.

import { beforeEach, describe, expect, test } from "bun:test";
import { BUY } from "../../../engine/market/order-book.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import type { Assignment } from "../../../sim/personas/assignments.ts";
import { ownerLimits } from "../../../sim/personas/limits.ts";
import { plantSettings } from "../../../sim/personas/physical/asset-settings.ts";
import type { PersonaGroup } from "../../../sim/personas/settings.ts";
import { Population } from "../../../sim/population/population.ts";
import { addStrategy } from "../../../sim/strategies/known-strategies.ts";
import { sidesOf, STRATEGIES, type StrategyParameters, type StrategyRole } from "../../../sim/strategies/registry.ts";
import type { Account, StrategySetup } from "../../../sim/strategies/strategy.ts";
import { always, constantSpot, contract, HOUR, START, view } from "../personas/support.ts";

interface Seen {
  readonly setup: StrategySetup;
  readonly parameters: StrategyParameters | undefined;
  readonly account: Account;
}

const LOT = 500;
const DAY = contract(0, { lot: LOT });
const CALM = presetExperiment("calm");
/** What strategies were made with and then saw. */
let seen: Seen[] = [];
beforeEach(() => {
  seen = [];
});

for (const role of ["maker", "taker", "speculator", "arbitrageur", "generator"] satisfies StrategyRole[]) {
  addStrategy(`seeing-${role}`, {
    ...STRATEGIES.gvwy,
    role,
    sides: sidesOf(role),
    make: (setup, parameters) => ({
      quote: (_market, account) => void seen.push({ setup, parameters, account: structuredClone(account) }),
    }),
  });
}
addStrategy("at-its-limit", {
  ...STRATEGIES.gvwy,
  make: ({ side }) => ({
    quote: (_market, { limitPrice, buyQuantity, sellQuantity }, quotes) =>
      quotes.set(side, limitPrice, side === BUY ? buyQuantity : sellQuantity),
  }),
});
addStrategy("bidding-or-asking", {
  ...STRATEGIES.gvwy,
  role: "speculator",
  sides: "both",
  make: (_, parameters) => parameters?.asks === true ? always(0, 0, 4_000, LOT) : always(4_100, LOT, 0, 0),
});

/** The personas of these groups in a market of two companies with two users each, in which a day's base is traded. */
function population(groups: readonly PersonaGroup[], changes: object = {}) {
  const users = ["A", "B"].flatMap((entityId) =>
    [1, 2].map((number) => ({ id: `${entityId}-${number}`, entityId, permissions: ["Order.Submit"] }))
  );
  const market = { ...builtInMarket(), users, entities: [{ id: "A" }, { id: "B" }] };
  const settings = { ...CALM, ...changes, personas: groups };
  const made = new Population({ market, settings, seed: 1, spot: constantSpot(() => 4_000), startTime: START });
  made.listed(DAY, START);
  return made.personas;
}

/** A group's personas, each after it has decided once. */
function decided(group: PersonaGroup, changes: object = {}) {
  const personas = population([group], changes);
  for (const persona of personas) persona.act(view());
  return personas;
}

describe("makers", () => {
  test("differ in the size of their orders, with a heavy tail, and in their spreads, by a fifth", () => {
    decided({ strategy: "seeing-maker", count: 100 });
    const lotsOf = ({ setup }: Seen) => setup.quantityScale / LOT;
    const lots = seen.map(lotsOf).toSorted((a, b) => a - b);
    // Half of a Pareto distribution with exponent 1.5 are below 3 x 2^(2/3) = 4.8 lots.
    expect([lots[0], lots[50], lots[99]]).toEqual([3, 5, 25]);
    const meanOf = (isMeant: (lots: number) => boolean) => {
      const sizes = seen.filter((each) => isMeant(lotsOf(each))).map(({ account }) => account.buyQuantity / LOT);
      return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    };
    expect(meanOf((each) => each <= 4)).toBeWithin(3, 5);
    expect(meanOf((each) => each >= 12)).toBeWithin(12, 25);
    const spreads = seen.map(({ setup, account }) =>
      setup.priceScale / (CALM.trading.halfSpread * account.fundamentalValue)
    );
    expect(Math.min(...spreads)).toBeWithin(0.8, 0.82);
    expect(Math.max(...spreads)).toBeWithin(1.18, 1.2);
  });

  test("are as busy at night as by day, unlike others, and have no surplus, unlike who is told what to trade", () => {
    const pace = { kind: "jittered", meanMs: 1_000 } as const;
    const groups = ["maker", "speculator", "taker"].map((role) => ({ strategy: `seeing-${role}`, count: 1, pace }));
    const [maker, speculator, taker] = population(groups);
    // It is 3:00, when others do a fifth of what they do on the mean.
    expect(maker!.nextDelayMs(START - 3 * HOUR)).toBeWithin(750, 1_251);
    expect(speculator!.nextDelayMs(START - 3 * HOUR)).toBeWithin(3_750, 6_251);
    expect([maker, speculator, taker].map((each) => each!.economics.surplus)).toEqual([null, null, 0]);
  });
});

test("who trades without assignments wants two lots at least, and an arbitrageur one size", () => {
  decided({ strategy: "seeing-speculator", count: 20 });
  expect(Math.min(...seen.map(({ account }) => account.buyQuantity))).toBe(2 * LOT);
  seen = [];
  decided({ strategy: "seeing-arbitrageur", count: 5 });
  expect(new Set(seen.map(({ account }) => account.buyQuantity))).toEqual(new Set([10 * LOT]));
});

test("a strategy and its unit have the parameters of its group", () => {
  const parameters = { capacityMw: 40, heatRate: [7, 7], fuelPrice: 300, variableCost: 100 };
  decided({ strategy: "seeing-generator", count: 1, parameters });
  expect(seen[0]?.parameters).toBe(parameters);
  // 15 % of a unit are a day's base.
  expect(seen[0]?.account).toMatchObject({ physical: { quantity: 0.15 * 40_000, unitCost: 2_200 }, asset: null });
});

test("whoever has a plant of the experiment's own sees it, with the limits of its owner", () => {
  const plants = [plantSettings.parse({ name: "mine", node: "NORTH", capacityMw: 50, cost: 2_000 })];
  const [owner] = decided({ strategy: "seeing-speculator", count: 1, asset: "mine" }, { plants });
  expect(seen[0]?.account).toMatchObject({
    buyQuantity: 50_000,
    physical: { quantity: 0.15 * 50_000, unitCost: 2_000 },
    asset: { name: "mine", capacity: 50_000, position: 0 },
  });
  expect([owner!.limits, owner!.economics.lossLimit]).toEqual([ownerLimits(50), 10_000_000]);
});

test("the personas of an entity are dealt to its users, and keep their quotes behind each other's", () => {
  const group = (entityId: string, asks = false) => (
    { strategy: "bidding-or-asking", count: 1, entityId, parameters: { asks } }
  );
  const personas = population([group("A", true), group("A"), group("A"), group("B")]);
  expect(personas.map(({ userId }) => userId)).toEqual(["A-1", "A-2", "A-1", "B-1"]);
  const prices = personas.flatMap((persona) => persona.act(view())).map((action) =>
    action.kind === "submit" && action.price
  );
  expect(prices).toEqual([4_000, 3_999, 3_999, 4_100]);
});

test("who loses too much is stopped until the next day of the market's time zone", () => {
  const [persona] = population([{ strategy: "bidding-or-asking", count: 1, lossLimit: 1 }]);
  const { reference } = persona!.act(view())[0]!;
  persona!.onAccepted(reference);
  persona!.onFill(reference, 4_100, LOT);
  persona!.act(view({ time: START + 5 * HOUR, book: () => ({ bestBid: 900, bestAsk: 1_100, lastPrice: null }) }));
  // START is 6:00 in Chicago.
  expect(persona!.economics.stoppedUntil).toBe(START + 18 * HOUR);
});

test("who is told what to trade may be told to enlarge a position that is small for its limits", () => {
  const enlarging: boolean[] = [];
  for (const persona of population([{ strategy: "at-its-limit", count: 4 }])) {
    const known = new Set<Assignment>();
    for (let time = START; time < START + 20 * HOUR; time += HOUR / 6) {
      for (const action of persona.act(view({ time }))) {
        if (action.kind !== "submit") continue;
        const assignment = persona.assignmentOf(action.reference)!;
        const position = persona.account.position(DAY);
        if (position !== 0 && !known.has(assignment)) enlarging.push((position > 0) === (assignment.side === BUY));
        known.add(assignment);
        persona.onAccepted(action.reference);
        persona.onFill(action.reference, action.price, action.quantity);
      }
    }
  }
  // Of 200 MW they have few.
  expect(enlarging.filter(Boolean).length / enlarging.length).toBeWithin(0.3, 0.6);
});
