// Which companies the strategies trade for.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import type { Business } from "../../../engine/market/business.ts";
import { SIMULATION_PRESETS } from "../../../protocol/simulator.ts";
import type { PersonaGroup } from "../../../sim/personas/settings.ts";
import { populationFaults } from "../../../sim/population/create-personas.ts";
import type { Market } from "../../../sim/population/traders.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { personasOf } from "./support.ts";

const BUILT_IN = builtInMarket();

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

describe.each([...SIMULATION_PRESETS])("in the built-in market, preset %s", (name) => {
  test("has generators at generating companies, retailers at retail companies, and the others at trading companies", () => {
    const businesses = new Map(BUILT_IN.entities.map(({ id, business }) => [id, business]));
    for (const { strategy, count } of presetExperiment(name).personas) {
      const found = new Set(entitiesOf(BUILT_IN, [one(strategy, count)]).map((id) => businesses.get(id)));
      const allowed = { generator: ["generation", "utility"], retailer: ["retail", "utility"] };
      expect(Object.hasOwn(allowed, strategy) ? allowed[strategy as keyof typeof allowed] : ["trading"])
        .toEqual(expect.arrayContaining([...found]));
    }
  });
});

describe("personas", () => {
  test("of trading strategies share the rounds over the trading companies", () => {
    const market = marketOf({ G: "generation", T1: "trading", T2: "trading", T3: "trading" });
    expect(entitiesOf(market, [one("zip", 2), one("zic", 2)])).toEqual(["T1", "T2", "T3", "T1"]);
  });

  test("of a utility generate and retail, and don't trade", () => {
    const market = marketOf({ U: "utility", T: "trading" });
    expect(entitiesOf(market, [one("generator"), one("retailer"), one("arbitrageur")])).toEqual(["U", "U", "T"]);
  });

  test("of any strategy go to companies without a business", () => {
    const market = marketOf({ A: undefined, B: undefined });
    expect(entitiesOf(market, [one("generator", 2), one("zip", 2)])).toEqual(["A", "B", "A", "B"]);
  });

  test("trade for the entity that their group names, whatever its business", () => {
    const market = marketOf({ G: "generation", T: "trading" });
    expect(entitiesOf(market, [{ strategy: "zip", count: 2, entityId: "G" }])).toEqual(["G", "G"]);
  });

  test("are refused if no entity has their business", () => {
    const market = marketOf({ T: "trading", R: "retail" });
    expect(populationFaults([one("retailer"), one("generator")], market)).toEqual([
      'personas[1].entityId: required, because no entity has a business of "generator" (generation or utility)',
    ]);
    expect(populationFaults([{ strategy: "generator", count: 1, entityId: "T" }], market)).toEqual([]);
  });
});
