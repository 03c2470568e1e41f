// A small market of contracts for personas, and personas with a strategy of the test's choice.

import { contractsAt } from "../../../engine/definition/listed-contracts.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { DiscretionaryMandate } from "../../../sim/personas/discretionary-mandate.ts";
import { Economics } from "../../../sim/personas/economics.ts";
import type { OwnAsset } from "../../../sim/personas/physical/own-asset.ts";
import type { PhysicalAsset } from "../../../sim/personas/physical/physical-asset.ts";
import { LocalCalendar } from "../../../sim/spot/local-calendar.ts";
import { EntityOrders } from "../../../sim/personas/entity-orders.ts";
import { DEFAULT_LIMITS, type PersonaLimits } from "../../../sim/personas/limits.ts";
import { BestForecasts } from "../../../sim/information/best-forecasts.ts";
import type { ForecastSkill } from "../../../sim/information/settings.ts";
import { LiquidityProfile } from "../../../sim/personas/liquidity-profile.ts";
import type { Mandate } from "../../../sim/personas/mandate.ts";
import { MarketListeners } from "../../../sim/personas/market-listeners.ts";
import type { ContractBook, PersonaView } from "../../../sim/personas/persona.ts";
import { StrategyPersona, type StrategyPersonaOptions } from "../../../sim/personas/strategy-persona.ts";
import { type TradedContract, tradedContract } from "../../../sim/personas/traded-contract.ts";
import { SpotProcess } from "../../../sim/spot/spot-process.ts";
import type { SpotPrices } from "../../../sim/spot/spot-prices.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { STRATEGIES, type StrategyMaker } from "../../../sim/strategies/registry.ts";
import type { Strategy } from "../../../sim/strategies/strategy.ts";
import { NodeCalendars } from "../../../sim/spot/node-calendars.ts";

export const START = Date.UTC(2026, 2, 2, 12);
export const HOUR = 3_600_000;
export const CALENDARS = new NodeCalendars(() => "America/Chicago");
const EMPTY_BOOK: ContractBook = { bestBid: null, bestAsk: null, lastPrice: null };

/** A base contract with its own product; delivery starts a day after START and lasts a day. */
export function contract(index: number, changes: Partial<TradedContract> = {}): TradedContract {
  return {
    index,
    id: `C${index}`,
    productId: `P${index}`,
    marketId: "M",
    type: "base",
    node: "NORTH",
    shape: "base",
    deliveryStart: START + 24 * HOUR,
    deliveryEnd: START + 48 * HOUR,
    minutes: 24 * 60,
    lot: 1_000,
    tick: 1,
    minimumPrice: -50_000,
    maximumPrice: 500_000,
    ...changes,
  };
}

export function profileOf(
  contracts: readonly TradedContract[],
  nodes: readonly string[],
  contractsPerProduct: number,
): LiquidityProfile {
  const profile = new LiquidityProfile(nodes, contractsPerProduct, { ratioAt: () => 1 });
  for (const contract of contracts) profile.add(contract);
  return profile;
}

/** All contracts that a market lists at a time, in the order of listing. */
export function tradedContracts(definition: MarketDefinition, time: number): TradedContract[] {
  const products = new Map(definition.products.map((product) => [product.id, product]));
  return contractsAt(definition, time).map((listed, index) => {
    const product = products.get(listed.productId);
    if (product === undefined) throw new Error(`no product ${listed.productId}`);
    return tradedContract(index, listed, product);
  });
}

/** Spot prices of which the expectations are `price()`, in cents/MWh. */
export function constantSpot(
  price: SpotPrices["expectedPrice"],
  nodes: readonly [string, string] = ["NORTH", "WEST"],
): SpotPrices {
  const spot = new SpotProcess({ seed: 1, startTime: START, timezone: "America/Chicago", nodes });
  return new Proxy(spot, {
    get(target, name) {
      if (name === "expectedPrice") return price;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** What is known of contracts: a value of 4,000 cents/MWh unless said. */
function informationOf(
  contracts: readonly TradedContract[],
  price: () => number = () => 4_000,
): BestForecasts {
  const information = new BestForecasts(constantSpot(price), CALENDARS, START, new SeededRandom(1));
  for (const contract of contracts) information.add(contract, START);
  return information;
}

const EXACT_SKILL: ForecastSkill = { delayMs: 0, revisionMeanMs: 1_000, errorShare: 0 };

/** A view of empty open books, with changes. */
export function view(changes: Partial<PersonaView> = {}): PersonaView {
  return {
    time: START,
    book: () => EMPTY_BOOK,
    isOpen: () => true,
    creditExhausted: false,
    ...changes,
  };
}

interface PersonaSetup {
  readonly contracts?: readonly TradedContract[];
  /** Absent: ZIC. */
  readonly strategy?: Strategy;
  readonly sides?: StrategyMaker["sides"];
  readonly limits?: Partial<PersonaLimits>;
  readonly mandate?: Mandate;
  readonly listeners?: MarketListeners;
  readonly pace?: StrategyPersonaOptions["pace"];
  readonly seed?: number;
  /** Dollars; absent: no limit. */
  readonly lossLimit?: number;
  readonly asset?: PhysicalAsset;
  /** An asset of the experiment's own. */
  readonly own?: OwnAsset;
  /** Absent: it is alone in its entity. */
  readonly entityOrders?: EntityOrders;
  /** Absent: the value of each contract is known. */
  readonly forecasts?: StrategyPersonaOptions["forecasts"];
}

/** A persona named as ZIC, with the given strategy. */
export function personaWith(setup: PersonaSetup = {}): StrategyPersona {
  const { contracts = [contract(0)], strategy, seed = 1 } = setup;
  const random = new SeededRandom(seed);
  const profile = profileOf(contracts, [...new Set(contracts.map(({ node }) => node))], 2);
  const entry: StrategyMaker = strategy === undefined ? STRATEGIES.zic : {
    sides: setup.sides ?? "both",
    make: () => strategy,
  };
  return new StrategyPersona({
    id: "zic-1",
    strategy: "zic",
    entry,
    userId: "user",
    entityId: "ENTITY",
    limits: { ...DEFAULT_LIMITS, ...setup.limits },
    pace: setup.pace ?? { kind: "exponential", meanMs: 1_000 },
    mandate: setup.mandate ??
      new DiscretionaryMandate({ random: random.fork("mandate"), profile, leastLots: 10, mostLots: 10 }),
    activity: null,
    forecasts: setup.forecasts ?? informationOf(contracts).forecaster(EXACT_SKILL, random.fork("forecasts")),
    listeners: setup.listeners ?? new MarketListeners(),
    profile,
    random,
    economics: new Economics({
      dollars: setup.lossLimit ?? null,
      calendar: new LocalCalendar("UTC"),
      random: random.fork("losses"),
      hasAssignments: entry.sides === "one",
      asset: setup.asset ?? setup.own ?? null,
      own: setup.own ?? null,
    }),
    entityOrders: setup.entityOrders ?? new EntityOrders(),
    halfSpread: 0.01,
    usualLots: 10,
  });
}

/** A strategy that always wants these quotes. */
export function always(bidPrice: number, bidQuantity: number, askPrice: number, askQuantity: number): Strategy {
  return {
    quote(_market, _account, quotes) {
      quotes.set(0, bidPrice, bidQuantity);
      quotes.set(1, askPrice, askQuantity);
    },
  };
}

/** A persona that quotes both sides, and the references of its accepted bid and ask. */
export function quotingPersona(strategy = always(3_900, 5_000, 4_100, 5_000)) {
  const persona = personaWith({ strategy });
  const [bid, ask] = persona.act(view()).map(({ reference }) => reference);
  if (bid === undefined || ask === undefined) throw new Error("it sent no two orders");
  persona.onAccepted(bid);
  persona.onAccepted(ask);
  return { persona, bid, ask };
}

/** The order that a persona sends at the start. */
export function firstOrder(persona: StrategyPersona) {
  const [order] = persona.act(view());
  if (order?.kind !== "submit") throw new Error("it sent no order");
  return order;
}
