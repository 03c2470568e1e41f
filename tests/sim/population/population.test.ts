// The population of a run: presets, the personas created from them, and the contracts that they trade.

import { describe, expect, test } from "bun:test";
import { SIMULATION_PRESETS } from "../../../protocol/simulator.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import type { Business } from "../../../engine/market/business.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { populationFaults } from "../../../sim/population/create-personas.ts";
import { DEFAULT_LIMITS, MAKER_LIMITS } from "../../../sim/personas/limits.ts";
import type { Persona } from "../../../sim/personas/persona.ts";
import { Population } from "../../../sim/population/population.ts";
import { entitiesOfOthers, type Market } from "../../../sim/population/traders.ts";
import { addStrategy, strategyNames } from "../../../sim/strategies/known-strategies.ts";
import { STRATEGIES } from "../../../sim/strategies/registry.ts";
import type { PersonaGroup } from "../../../sim/personas/settings.ts";
import { type TradedContract, tradedContract } from "../../../sim/personas/traded-contract.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { smallMarket } from "../../engine/support/market.ts";
import { constantSpot, contract, HOUR, profileOf, START, tradedContracts } from "../personas/support.ts";

const MARKET = builtInMarket();
const CONTRACTS = tradedContracts(MARKET, START);

/** With the settings of calm, at constant prices, among these users; nodes and products are those of the built-in market. */
function personasOf({ users, entities }: Market, groups: readonly PersonaGroup[], seed = 1): readonly Persona[] {
  const market = { ...MARKET, users, entities };
  const settings = { ...presetExperiment("calm"), personas: groups };
  const spot = constantSpot(() => 4_000);
  return new Population({ market, settings, seed, spot, startTime: START }).personas;
}

const personas = (groups: readonly PersonaGroup[], seed = 1) => personasOf(MARKET, groups, seed);

function entitiesOf(market: Market, groups: readonly PersonaGroup[]): string[] {
  return personasOf(market, groups).map(({ entityId }) => entityId);
}

/** A market of these entities, each with one user who may trade. */
function marketOf(businesses: Readonly<Record<string, Business | undefined>>): Market {
  return {
    entities: Object.entries(businesses).map(([id, business]) => ({ id, business })),
    users: Object.keys(businesses).map((id) => ({ id: `user-${id}`, entityId: id, permissions: ["Order.Submit"] })),
  };
}

const one = (strategy: string, count = 1) => ({ strategy, count });

test.each([...SIMULATION_PRESETS])("%s can be created in the built-in market, and names each strategy once", (name) => {
  const { name: ownName, personas: groups } = presetExperiment(name);
  expect(ownName).toBe(name);
  expect(populationFaults(groups, MARKET)).toEqual([]);
  expect(new Set(groups.map(({ strategy }) => strategy)).size).toBe(groups.length);
});

describe("personas", () => {
  test("have unique ids, and are spread over the entities of their business and their users", () => {
    const made = personas([{ strategy: "zip", count: 12 }, { strategy: "zic", count: 3, entityId: "MERIDIAN" }]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(15);
    expect(new Set(made.slice(0, 6).map(({ entityId }) => entityId)).size).toBe(6);
    expect(made.slice(12).map(({ entityId }) => entityId)).toEqual(["MERIDIAN", "MERIDIAN", "MERIDIAN"]);
    for (const { userId, entityId } of made) {
      const user = MARKET.users.find(({ id }) => id === userId);
      expect(user).toMatchObject({ entityId });
      expect(user?.permissions).toContain("Order.Submit");
      expect(user?.permissions).not.toContain("Market.Operate");
    }
  });

  test("draw from separate streams, so an additional persona doesn't change the others", () => {
    const delays = (groups: readonly PersonaGroup[], seed: number) =>
      personas(groups, seed).map((persona) => [persona.id, persona.nextDelayMs(START), persona.nextDelayMs(START)]);
    const few = delays([{ strategy: "zip", count: 2 }, { strategy: "aa", count: 1 }], 7);
    const more = delays([{ strategy: "zip", count: 3 }, { strategy: "aa", count: 1 }], 7);
    expect([more[0], more[1], more[3]]).toEqual(few);
    expect(delays([{ strategy: "zip", count: 2 }, { strategy: "aa", count: 1 }], 8)).not.toEqual(few);
  });

  test("of an added strategy trade as its role says", () => {
    addStrategy("own-maker", { ...STRATEGIES.gvwy, role: "maker", sides: "both" });
    addStrategy("own-speculator", { ...STRATEGIES.gvwy, role: "speculator", sides: "both" });
    const strategies = ["own-maker", "avellaneda-stoikov", "own-speculator", "zic"];
    const groups = strategies.map((strategy) => ({ strategy, count: 1 }));
    expect(personas(groups).map(({ limits, economics }) => [limits, economics.lossLimit])).toEqual([
      [MAKER_LIMITS, 2_000_000],
      [MAKER_LIMITS, 2_000_000],
      [DEFAULT_LIMITS, 5_000_000],
      [DEFAULT_LIMITS, 5_000_000],
    ]);
  });

  test("have the loss limit and the pace of their group, or else those of their strategy, or of all", () => {
    const trading = presetExperiment("calm").trading;
    const pace = { kind: "jittered", meanMs: 77_000 } as const;
    const spot = constantSpot(() => 4_000);
    const group = [{ strategy: "zic", count: 1, pace, lossLimit: null }, one("zic"), one("zip"), one("zic")];
    const settings = {
      ...presetExperiment("calm"),
      personas: group as readonly PersonaGroup[],
      trading: { ...trading, paces: { zic: { ...pace, meanMs: 1e9 } }, pace: { ...pace, meanMs: 1_000 } },
    };
    const made = new Population({ market: MARKET, settings, seed: 1, spot, startTime: START }).personas;
    const scale = (delay: number) => Math.round(Math.log10(delay));
    expect(made.map((persona) => scale(persona.nextDelayMs(START)))).toEqual([5, 9, 3, 9]);
    expect(made.map(({ id, economics }) => [id, economics.lossLimit])).toEqual([
      ["zic-1", null],
      ["zic-2", 5_000_000],
      ["zip-1", 5_000_000],
      ["zic-3", 5_000_000],
    ]);
  });

  test("are refused with a list of all faults", () => {
    const groups = [
      { strategy: "zap", count: 1 },
      { strategy: "zic", count: 0 },
      { strategy: "zic", count: 1.5, entityId: "NOBODY" },
      { strategy: "zip", count: 1, entityId: "OPERATOR" },
    ] as unknown as PersonaGroup[];
    const entities = [
      ...["RIVERBEND", "CEDAR", "PRAIRIE", "SUNFIELD", "LAKESHORE", "HEARTLAND", "CORNERSTONE", "MERIDIAN", "SUMMIT"],
      ...["ANCHOR", "KESTREL", "HARBOR", "BLUESTEM", "WILLOW", "JUNIPER", "ASPEN", "HAWTHORN"],
    ].join(", ");
    expect(populationFaults(groups, MARKET)).toEqual([
      `personas[0].strategy: no such strategy "zap"; use one of ${strategyNames().join(", ")}`,
      "personas[1].count: a whole number of at least 1",
      "personas[2].count: a whole number of at least 1",
      `personas[2].entityId: no entity "NOBODY" with a user who may submit orders; use one of ${entities}`,
      `personas[3].entityId: no entity "OPERATOR" with a user who may submit orders; use one of ${entities}`,
    ]);
    expect(() => personas(groups)).toThrow(`personas[0].strategy: no such strategy "zap"`);
  });

  test("are refused in a market without a user who may trade", () => {
    const viewers = smallMarket().users.filter(({ entityId }) => entityId === null);
    expect(populationFaults([{ strategy: "zic", count: 1 }], { users: viewers, entities: [] })).toEqual([
      "no user of the market may submit orders for an entity",
    ]);
  });
});

test.each([...SIMULATION_PRESETS])(
  "%s generates for generation, retails for retail, and else trades for trading",
  (name) => {
    const businesses = new Map(MARKET.entities.map(({ id, business }) => [id, business]));
    for (const { strategy, count } of presetExperiment(name).personas) {
      const found = new Set(entitiesOf(MARKET, [one(strategy, count)]).map((id) => businesses.get(id)));
      const allowed = { generator: ["generation", "utility"], retailer: ["retail", "utility"] };
      expect(Object.hasOwn(allowed, strategy) ? allowed[strategy as keyof typeof allowed] : ["trading"])
        .toEqual(expect.arrayContaining([...found]));
    }
  },
);

describe("the companies of personas", () => {
  test("for trading strategies are the trading companies, which share the rounds", () => {
    const market = marketOf({ G: "generation", T1: "trading", T2: "trading", T3: "trading" });
    expect(entitiesOf(market, [one("zip", 2), one("zic", 2)])).toEqual(["T1", "T2", "T3", "T1"]);
  });

  test("for generators and retailers may be utilities, which don't trade", () => {
    const market = marketOf({ U: "utility", T: "trading" });
    expect(entitiesOf(market, [one("generator"), one("retailer"), one("arbitrageur")])).toEqual(["U", "U", "T"]);
  });

  test("for any strategy may be those without a business", () => {
    const market = marketOf({ A: undefined, B: undefined });
    expect(entitiesOf(market, [one("generator", 2), one("zip", 2)])).toEqual(["A", "B", "A", "B"]);
  });

  test("are the one that their group names, whatever its business", () => {
    const market = marketOf({ G: "generation", T: "trading" });
    expect(entitiesOf(market, [{ strategy: "zip", count: 2, entityId: "G" }])).toEqual(["G", "G"]);
  });

  test("are those that are simulated, unless a group names another one", () => {
    const market = marketOf({ T: "trading", OWN: undefined });
    const entities = market.entities.map((entity) => entity.id === "OWN" ? { ...entity, simulated: false } : entity);
    const groups = [one("zip", 3), { strategy: "zic", count: 1, entityId: "OWN" }];
    expect(entitiesOf({ ...market, entities }, groups)).toEqual(["T", "T", "T", "OWN"]);
    const idle = { id: "IDLE", simulated: false };
    expect(entitiesOfOthers({ ...market, entities: [...entities, idle] })).toEqual(["OWN"]);
    for (const name of SIMULATION_PRESETS) {
      const made = entitiesOf(MARKET, presetExperiment(name).personas);
      expect(entitiesOfOthers(MARKET).filter((id) => made.includes(id))).toEqual([]);
    }
  });

  test("have to be named if none has the business", () => {
    const market = marketOf({ T: "trading", R: "retail" });
    expect(populationFaults([one("retailer"), one("generator")], market)).toEqual([
      'personas[1].entityId: required, because no simulated entity has a business of "generator" (generation or utility)',
    ]);
    expect(populationFaults([{ strategy: "generator", count: 1, entityId: "T" }], market)).toEqual([]);
  });
});

describe("the contracts that personas trade", () => {
  const product = (productId: string, days: readonly number[], changes = {}) =>
    days.map((day, at) =>
      contract(10 * productId.charCodeAt(0) + at, { productId, deliveryStart: START + day * 24 * HOUR, ...changes })
    );

  function shareOfFirst(contracts: readonly TradedContract[]): number {
    const profile = profileOf(contracts, ["NORTH"], 2);
    const random = new SeededRandom(1);
    const picks = Array.from({ length: 30_000 }, () => profile.pick(START, random));
    return picks.filter((pick) => pick === contracts[0]).length / picks.length;
  }

  test("are the nearest deliveries of each product, and move up when one starts", () => {
    const [first, second, third] = product("A", [1, 2, 3]) as [TradedContract, TradedContract, TradedContract];
    const profile = profileOf([third, second, first], ["NORTH"], 2);
    expect(profile.at(START)).toEqual([first, second]);
    expect(profile.at(START + 24 * HOUR)).toEqual([second, third]);
    expect(profile.at(START + 72 * HOUR)).toEqual([]);
    expect(profile.pick(START + 72 * HOUR, new SeededRandom(1))).toBeNull();
  });

  test("include contracts added later, and exclude removed ones", () => {
    const [first, second, third] = product("A", [1, 2, 3]) as [TradedContract, TradedContract, TradedContract];
    const profile = profileOf([second], ["NORTH"], 2);
    expect(profile.at(START)).toEqual([second]);
    profile.add(third);
    profile.add(first);
    expect(profile.at(START)).toEqual([first, second]);
    expect([first, second, third].map((each) => profile.isTraded(each, START))).toEqual([true, true, false]);
    profile.remove(first);
    profile.remove(first);
    expect(profile.at(START)).toEqual([second, third]);
  });

  test("exclude single hours and a day's peak from five minutes before delivery", () => {
    for (const [type, minutes] of [["hour", 5], ["peak", 5], ["base", 0]] as const) {
      const contracts = product("A", [1], { type });
      const profile = profileOf(contracts, ["NORTH"], 1);
      const last = START + 24 * HOUR - minutes * HOUR / 60;
      expect(profile.at(last - 1)).toEqual(contracts);
      expect(profile.at(last)).toEqual([]);
    }
  });

  test("include every listed hour", () => {
    const hours = product("A", Array.from({ length: 24 }, (_, hour) => 1 + hour / 24), { type: "hour" });
    const profile = profileOf(hours, ["NORTH"], 1);
    expect(profile.at(START)).toEqual(hours);
    expect(profile.at(START + 24 * HOUR)).toEqual(hours.slice(1));
  });

  test("are drawn more often near delivery", () => {
    expect(shareOfFirst([...product("A", [0.2]), ...product("B", [1.2])])).toBeWithin(0.6, 0.75);
  });

  test("are drawn by weight: the first delivery about twice as often as the second", () => {
    expect(shareOfFirst(product("A", [1, 2]))).toBeWithin(0.67, 0.7);
  });

  test("are at nodes with a spot price, and are related to the same delivery at the other node", () => {
    const profile = profileOf(CONTRACTS, ["NORTH", "WEST"], 1);
    for (const traded of profile.at(START)) {
      const related = profile.related(traded);
      expect(related?.id).toBe(traded.id.replace(/^\w+/, traded.node === "NORTH" ? "WEST" : "NORTH"));
    }
    expect(profileOf(CONTRACTS, ["SOUTH", "EAST"], 1).at(START)).toEqual([]);
  });
});

describe("contracts as personas see them", () => {
  test("have their lot, price range, minutes and shape", () => {
    const [base] = CONTRACTS.filter(({ id }) => id.startsWith("NORTH-MO-BASE"));
    const [peak] = CONTRACTS.filter(({ id }) => id.startsWith("NORTH-MO-PEAK"));
    expect(base).toMatchObject({ shape: "base", lot: 1_000, tick: 1, minimumPrice: -50_000, maximumPrice: 500_000 });
    expect(peak).toMatchObject({ shape: "peak", node: "NORTH" });
    const [, half] = tradedContracts(smallMarket(), START);
    expect(half).toMatchObject({ lot: 500, tick: 5, minutes: 960, shape: "peak" });
    // The 22 weekdays of April.
    const period = { deliveryStart: "2026-04-01T05:00:00Z", deliveryEnd: "2026-05-01T05:00:00Z", hours: 22 * 16 };
    const product = { id: "P", marketId: "M", type: "month", node: "NORTH", lot: 1, tick: 1 } as const;
    expect(tradedContract(0, { id: "C", productId: "P", ...period }, { ...product, minimumPrice: 0, maximumPrice: 9 }))
      .toMatchObject({ minutes: 22 * 16 * 60, shape: "peak", minimumPrice: 0, maximumPrice: 9 });
  });
});
