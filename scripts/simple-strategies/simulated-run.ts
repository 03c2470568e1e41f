// A run of a preset in which each simple strategy trades for a company of its own.

import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { TIGHT_CREDIT_MARKET } from "../../engine/definition/built-in-markets.ts";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { withTightCredit } from "../../engine/definition/tight-credit.ts";
import type { SimulationPreset } from "../../protocol/index.ts";
import { presetExperiment } from "../../sim/experiment/read-experiment.ts";
import { AGENT_PROTOCOL } from "../../sim/outside/agents/agent-messages.ts";
import { simulateInLockstep } from "../../sim/outside/agents/simulate-with-agents.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { Maker } from "./maker.ts";
import type { SimpleStrategy } from "./market-view.ts";
import { LastHour, OnEvent, Sniper } from "./news-strategies.ts";
import { BaseHours, Chance, Movers, NodeSpread, Value } from "./price-strategies.ts";
import { DEPTH, SimpleAgent } from "./simple-agent.ts";

export interface StrategyResult {
  readonly strategy: string;
  /** Dollars: cash and positions at their marks. */
  readonly profit: number;
  readonly trades: number;
  readonly megawatts: number;
  /** Dollars that the spread of its quotes can pay; null if it is no maker. */
  readonly spreadPay: number | null;
}

export interface RunResult {
  readonly preset: string;
  readonly seed: number;
  readonly results: readonly StrategyResult[];
}

/** Months and years move too much by the MW: their luck would hide what the others earn. */
const TRADED_TYPES: readonly string[] = ["hour", "base", "peak", "weekend", "week"];

export async function simulatedRun(preset: SimulationPreset, seed: number, hours: number): Promise<RunResult> {
  const experiment = { ...presetExperiment(preset), seed, hours, steps: null };
  const strategies = strategiesOf(seed);
  const definition = marketWith(strategies.map(({ name }) => name), experiment.market === TIGHT_CREDIT_MARKET);
  const agents = strategies.map((strategy) => {
    const { name, wakeMs, types = TRADED_TYPES } = strategy;
    const products = definition.products.filter(({ type }) => types.includes(type)).map(({ id }) => id);
    const wishes = { products, depth: DEPTH, wakeMs };
    const hello = { type: "hello", protocol: AGENT_PROTOCOL, name, entityId: companyOf(name), ...wishes } as const;
    return { hello, channel: new SimpleAgent(strategy) };
  });
  const { personas } = await simulateInLockstep({ experiment, definition }, agents);
  const results = strategies.map((strategy) => {
    const { profitAndLoss, trades, volumeMw } = personas.find(({ id }) => id === `agent-${strategy.name}`)!;
    const spreadPay = strategy.spreadPay?.() ?? null;
    return { strategy: strategy.name, profit: profitAndLoss, trades, megawatts: volumeMw, spreadPay };
  });
  return { preset, seed, results };
}

/** In the order in which they are woken at equal times: the fastest first. */
function strategiesOf(seed: number): SimpleStrategy[] {
  return [
    new Sniper(),
    new OnEvent(),
    new Maker(),
    new LastHour(),
    new Value(),
    new Movers("momentum", 1),
    new Movers("reversal", -1),
    new BaseHours(),
    new NodeSpread(),
    // Another stream than that of the run.
    new Chance(new SeededRandom(seed).fork("simple strategies")),
  ];
}

/** The built-in market with a company for each strategy, which nobody simulates. */
function marketWith(strategies: readonly string[], hasTightCredit: boolean): MarketDefinition {
  const market = builtInMarket();
  const companies = strategies.map((name) => ({ id: companyOf(name), code: companyOf(name), name, simulated: false }));
  const users = strategies.map((name): MarketDefinition["users"][number] => ({
    id: `${name}-trader`,
    name: `Trader of ${name}`,
    entityId: companyOf(name),
    permissions: ["Order.Submit"],
  }));
  const larger = { ...market, entities: [...market.entities, ...companies], users: [...market.users, ...users] };
  return hasTightCredit ? withTightCredit(larger) : larger;
}

function companyOf(strategy: string): string {
  return strategy.toUpperCase();
}
