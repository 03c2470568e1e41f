// Creates the personas of a run. The same market, groups, settings and seed give the same personas. Each persona draws
// from its own random stream, so adding one doesn't change the others.
//
// The personas of groups without an entity are dealt one by one to the entities whose business the strategy's role is, and the
// personas of an entity to its users (traders.ts). A group that names an entity trades for it, whatever its business.

import { KILOWATTS_PER_MEGAWATT, megawattsOf } from "../../engine/market/units.ts";
import { SeededRandom } from "../random/seeded-random.ts";
import { strategyEntry, strategyNames } from "../strategies/known-strategies.ts";
import type { StrategyEntry, StrategyMaker, StrategyParameters, StrategyRole } from "../strategies/registry.ts";
import type { Activity } from "../personas/activity.ts";
import { ArbitrageMandate } from "../personas/arbitrage-mandate.ts";
import { AssignmentMandate } from "../personas/assignment-mandate.ts";
import type { Assignments } from "../personas/assignments.ts";
import { DiscretionaryMandate } from "../personas/discretionary-mandate.ts";
import type { BestForecasts } from "../information/best-forecasts.ts";
import type { InformationSettings } from "../information/settings.ts";
import type { LiquidityProfile } from "../personas/liquidity-profile.ts";
import type { MarketListeners } from "../personas/market-listeners.ts";
import { ownerLimits, type PersonaLimits } from "../personas/limits.ts";
import { EntityOrders } from "../personas/entity-orders.ts";
import { Economics } from "../personas/economics.ts";
import { AssetMandate } from "../personas/asset-mandate.ts";
import { type AssetSettings, type NamedAsset, namedAssets } from "../personas/physical/asset-settings.ts";
import type { PhysicalAssets } from "../personas/physical/physical-assets.ts";
import { MakerMandate } from "../personas/maker-mandate.ts";
import type { Mandate } from "../personas/mandate.ts";
import type { Persona } from "../personas/persona.ts";
import type { PersonaGroup, ScheduledSpotEvent, TradingSettings } from "../personas/settings.ts";
import { StrategyPersona, type StrategyPersonaOptions } from "../personas/strategy-persona.ts";
import { OWNER, traitsOf } from "./roles.ts";
import { entityDealer, type Market, suitableEntities, tradersByEntity } from "./traders.ts";

/** What an experiment says about a population. */
export interface PopulationSettings extends AssetSettings {
  readonly information: InformationSettings;
  readonly trading: TradingSettings;
  readonly personas: readonly PersonaGroup[];
  readonly events: readonly ScheduledSpotEvent[];
}

interface PersonasOptions {
  readonly market: Market;
  readonly settings: Omit<PopulationSettings, "events">;
  readonly seed: number;
  readonly forecasts: BestForecasts;
  readonly profile: LiquidityProfile;
  readonly listeners: MarketListeners;
  /** The orders of each entity that may trade, by its id. */
  readonly entityOrders: ReadonlyMap<string, EntityOrders>;
  /** Records the assignments of all personas. */
  readonly assignments: Assignments;
  /** Gets the units and loads of the personas. */
  readonly assets: PhysicalAssets;
  readonly activity: Activity;
}

/** Lots of a normal order. */
const USUAL_LOTS = 10;
/** Of orders without an assignment. */
const DISCRETIONARY_LOTS = { leastLots: 2, mostLots: 50 };

/** The faults of persona groups in a market, one line each; empty if there are none. */
export function populationFaults(groups: readonly PersonaGroup[], { users, entities }: Market): string[] {
  const traders = tradersByEntity(users);
  const choice = [...traders.keys()].join(", ");
  const faults = groups.flatMap(({ strategy, count, entityId }, index) => [
    ...(strategyEntry(strategy) !== undefined ? [] : [
      `personas[${index}].strategy: no such strategy "${strategy}"; use one of ${strategyNames().join(", ")}`,
    ]),
    ...(entityId !== undefined || suitableEntities(strategy, traders.keys(), entities).length > 0 ? [] : [
      `personas[${index}].entityId: required, because no simulated entity has a business of "${strategy}" ` +
      `(${traitsOf(strategy).businesses.join(" or ")})`,
    ]),
    ...(Number.isInteger(count) && count >= 1 ? [] : [`personas[${index}].count: a whole number of at least 1`]),
    ...(entityId === undefined || traders.has(entityId) ? [] : [
      `personas[${index}].entityId: no entity "${entityId}" with a user who may submit orders; use one of ${choice}`,
    ]),
  ]);
  return traders.size === 0 ? ["no user of the market may submit orders for an entity"] : faults;
}

/** Throws RangeError with the first of the `populationFaults`. */
export function createPersonas(population: PersonasOptions): Persona[] {
  const { market, settings: { personas: groups, trading }, seed } = population;
  const assets = new Map(namedAssets(population.settings).map((asset) => [asset.settings.name, asset]));
  const [fault] = populationFaults(groups, market);
  if (fault !== undefined) throw new RangeError(fault);
  const random = new SeededRandom(seed).fork("personas");
  const traders = tradersByEntity(market.users);
  const rounds = new Map([...traders].map(([entityId, ids]) => [entityId, cycle(ids)]));
  const deal = entityDealer([...traders.keys()], market.entities);
  const numbers = new Map<string, number>();
  return groups.flatMap(
    ({ strategy, count, entityId: wanted, pace, parameters, lossLimit: ownLimit, asset: assetName }) => {
      const asset = assetName === undefined ? null : assets.get(assetName) ?? null;
      const { lossLimit } = ownLimit === undefined ? traitsFor(strategy, asset) : { lossLimit: ownLimit };
      const shared = { strategy, pace: pace ?? trading.paces[strategy] ?? trading.pace, parameters, lossLimit, asset };
      return Array.from({ length: count }, () => {
        const number = (numbers.get(strategy) ?? 0) + 1;
        numbers.set(strategy, number);
        const entityId = wanted ?? deal(strategy);
        const id = `${strategy}-${number}`;
        const userId = rounds.get(entityId)?.() ?? "";
        const entityOrders = population.entityOrders.get(entityId) ?? new EntityOrders();
        return persona(population, { ...shared, id, entityId, userId, entityOrders }, random.fork(id));
      });
    },
  );
}

interface Member extends Pick<StrategyPersonaOptions, "id" | "entityId" | "userId" | "entityOrders" | "pace"> {
  readonly strategy: string;
  readonly parameters?: StrategyParameters;
  readonly lossLimit: number | null;
  readonly asset: NamedAsset | null;
}

function traitsFor(strategy: string, asset: NamedAsset | null) {
  return asset === null ? traitsOf(strategy) : OWNER;
}

function persona(
  population: PersonasOptions,
  { parameters, lossLimit, asset: named, ...member }: Member,
  random: SeededRandom,
): Persona {
  const { settings: { trading, information }, profile, assets } = population;
  const { role, sides, make } = required(member.strategy);
  const isMaker = role === "maker";
  const ownAsset = named === null ? null : assets.addOwn(named);
  const { limits: usualLimits, skill } = traitsFor(member.strategy, named);
  const limits = ownAsset === null ? usualLimits : ownerLimits(megawattsOf(ownAsset.size));
  const forecasts = population.forecasts.forecaster(information[skill], random.fork("forecasts"));
  const own = isMaker
    ? makerOf(trading, random.fork("maker"))
    : { usualLots: USUAL_LOTS, halfSpread: trading.halfSpread };
  const entry: StrategyMaker = { sides, make: (setup) => make(setup, parameters) };
  return new StrategyPersona({
    ...member,
    entry,
    limits,
    ...own,
    activity: isMaker ? null : population.activity,
    mandate: ownAsset !== null
      ? new AssetMandate({ profile, asset: ownAsset, halfSpread: own.halfSpread })
      : isMaker
      ? new MakerMandate({
        profile,
        forecasts,
        halfSpread: own.halfSpread,
        lots: own.usualLots,
        random: random.fork("sizes"),
      })
      : mandateOf(role, population, limits, random.fork("mandate")),
    forecasts,
    listeners: population.listeners,
    economics: new Economics({
      dollars: lossLimit,
      calendar: assets.calendar,
      random: random.fork("losses"),
      hasAssignments: sides === "one",
      asset: ownAsset ?? assets.addFor(role, parameters, random.fork("asset")),
      own: ownAsset,
    }),
    profile,
    random,
  });
}

function required(strategy: string): StrategyEntry {
  const entry = strategyEntry(strategy);
  if (entry === undefined) throw new RangeError(`no such strategy "${strategy}"`);
  return entry;
}

/** Makers differ in the size of their orders and in their spreads. */
function makerOf({ halfSpread }: TradingSettings, random: SeededRandom) {
  const usualLots = Math.min(25, Math.round(3 * (1 - random.next()) ** (-1 / 1.5)));
  return { usualLots, halfSpread: halfSpread * (0.8 + 0.4 * random.next()) };
}

function mandateOf(
  role: StrategyRole,
  { settings: { trading: { parentOrders } }, profile, activity, assignments }: PersonasOptions,
  { contractPositionMw }: PersonaLimits,
  random: SeededRandom,
): Mandate {
  // The legs of a package need one size.
  if (role === "arbitrageur") return new ArbitrageMandate({ random, profile, lots: USUAL_LOTS });
  if (role !== "taker") return new DiscretionaryMandate({ random, profile, ...DISCRETIONARY_LOTS });
  const fullPosition = contractPositionMw * KILOWATTS_PER_MEGAWATT;
  return new AssignmentMandate({ random, profile, activity, assignments, parentOrders, fullPosition });
}

/** Each call returns the next value, starting over at the end. */
function cycle<Value>(values: readonly Value[]): () => Value {
  let next = 0;
  return () => {
    const value = values[next++ % values.length];
    if (value === undefined) throw new RangeError("there are no values to choose from");
    return value;
  };
}
