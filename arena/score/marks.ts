// The two marks of a scenario and seed, from the same market without the agent.
//
// 0 is the duty done in the plainest way, at once: the best offers at the beginning are taken, and if they are not enough,
// others as they come. A plant or battery trades the best schedule for the offers and middle prices at the beginning.
// Without a duty and an asset it is doing nothing.
//
// 1 is a hindsight reference, which no agent can know: a linear or mixed-integer programme (HiGHS, to its proven optimum)
// takes each order of others at most once, at its own limit, and keeps the limits of the scenario's terms at the end of each
// quarter of an hour. An order counts in the quarters in which it came or changed; the others can't react.

import { z } from "zod";
import { BUY } from "../../protocol/sides.ts";
import { hundredths } from "../../common/rounding.ts";
import { MINUTE_MS } from "../../protocol/time-units.ts";
import { CENTS_PER_DOLLAR } from "../../engine/market/units.ts";
import type { TradedContract } from "../../sim/personas/traded-contract.ts";
import type { TradingTerms } from "../scenario/trading-terms.ts";
import type { World } from "../world/world.ts";
import { contractsOf, periodOf, settledAt, tradingProfit } from "./account.ts";
import { type Offer, Offers, QUARTER_MS } from "./offers.ts";
import { addPhysical, type Period } from "./physical.ts";
import { Programme, type Term } from "./programme.ts";

/** Results in dollars, from the same market without the agent. */
export const marksSchema = z.strictObject({
  plain: z.number().describe("Of a score of 0"),
  nothing: z.number().describe("Of an agent that does nothing"),
  hindsight: z.number().describe("Of a score of 1"),
});
export type Marks = z.infer<typeof marksSchema>;

interface WithoutAgent {
  /** At the beginning of the episode. */
  readonly world: World;
  /** An observer of the world from its start. */
  readonly offers: Offers;
  readonly entityId: string;
  readonly terms: TradingTerms;
  readonly minutes: number;
}

/** Plays the episode without its agent. The solver must be loaded. */
export function marksOf({ world, offers, entityId, terms, minutes }: WithoutAgent): Marks {
  const contracts = contractsOf(world, terms);
  const end = world.now + minutes * MINUTE_MS;
  const middles = contracts.map((contract) => world.middleOf(contract) ?? world.forecastOf(contract));
  offers.begin(world);
  world.advanceTo(end);
  world.settle(settledAt(contracts, end));
  const market: PlayedMarket = {
    terms,
    quarters: Math.ceil(minutes * MINUTE_MS / QUARTER_MS),
    untraded: tradingProfit(world, entityId),
    periods: contracts.map((contract) => periodOf(world, contract)),
    middles,
    offers: offersIn(contracts, offers.all.filter(({ side }) => terms.side !== (side === BUY ? "buy" : "sell"))),
  };
  const nothing = worthOf(market, contracts.map(() => 0), 0);
  return {
    plain: plainResult(market) ?? nothing,
    nothing,
    hindsight: hindsightResult(market),
  };
}

interface PlayedMarket {
  readonly terms: TradingTerms;
  readonly quarters: number;
  /** Dollars of the position at the beginning, as it settles. */
  readonly untraded: number;
  readonly periods: readonly Period[];
  /** Of each period's book at the beginning, cents/MWh. */
  readonly middles: readonly number[];
  /** Of each period. */
  readonly offers: readonly (readonly Offer[])[];
}

function offersIn(contracts: readonly TradedContract[], offers: readonly Offer[]): Offer[][] {
  const byContract = Map.groupBy(offers, ({ contractId }) => contractId);
  return contracts.map(({ id }) => byContract.get(id) ?? []);
}

/** `traded`: MW bought in each period; `margin`: dollars that trades have won against the value of the deliveries. */
function worthOf({ terms, untraded, periods }: PlayedMarket, traded: readonly number[], margin: number): number {
  const programme = new Programme();
  programme.constant(untraded + margin);
  addPhysical(
    programme,
    terms,
    periods,
    traded.map((megawatts) => ({ constant: terms.position + megawatts, terms: [] })),
  );
  return hundredths(programme.maximum().worth);
}

/** Null if there is nothing to do. */
function plainResult(market: PlayedMarket): number | null {
  const { asset, duty } = market.terms;
  if (asset !== null) return scheduleResult(market);
  return duty === null ? null : dutyResult(market, duty);
}

function dutyResult(market: PlayedMarket, duty: number): number {
  let margin = 0;
  const traded = market.periods.map((period, at) => {
    const needed = duty - market.terms.position;
    let left = Math.abs(needed);
    for (const { price, megawatts } of inPlainOrder(market.offers[at]!, needed > 0)) {
      const taken = Math.min(left, megawatts);
      margin += Math.sign(needed) * taken * period.hours * (period.value - price / CENTS_PER_DOLLAR);
      left -= taken;
      if (left === 0) break;
    }
    return needed - Math.sign(needed) * left;
  });
  return worthOf(market, traded, margin);
}

/** The best trades with what is offered at the beginning, if deliveries were worth the middle prices then. */
function scheduleResult(market: PlayedMarket): number {
  const there = market.offers.map((offers) => offers.filter(({ tradedBefore }) => tradedBefore !== null));
  const expected = market.periods.map((period, at) => ({ ...period, value: market.middles[at]! / CENTS_PER_DOLLAR }));
  const { programme, taken } = tradesOf({ ...market, offers: there, periods: expected, quarters: 1 });
  const { values } = programme.maximum();
  let margin = 0;
  const traded = taken.map((ofPeriod, at) => {
    const { hours, value } = market.periods[at]!;
    return ofPeriod.reduce((sum, { variable, direction, price }) => {
      const megawatts = values[variable]!;
      margin += direction * megawatts * hours * (value - price / CENTS_PER_DOLLAR);
      return sum + direction * megawatts;
    }, 0);
  });
  return worthOf(market, traded, margin);
}

/** What can be bought or sold: the best of what is there at the beginning first, then what comes, at its first limit. */
function inPlainOrder(offers: readonly Offer[], isBuying: boolean): { price: number; megawatts: number }[] {
  const others = offers.filter(({ side }) => (side === BUY) !== isBuying).map(({ megawatts, prices, tradedBefore }) => {
    const [price = NaN] = prices.values();
    return { price, megawatts, isThere: tradedBefore !== null };
  });
  const [there, later] = [others.filter(({ isThere }) => isThere), others.filter(({ isThere }) => !isThere)];
  const direction = isBuying ? 1 : -1;
  return [...there.toSorted((one, other) => (one.price - other.price) * direction), ...later];
}

function hindsightResult(market: PlayedMarket): number {
  return hundredths(tradesOf(market).programme.maximum().worth);
}

/** What is taken of an offer: 1 to buy it, -1 to sell to it. */
interface Taken {
  readonly variable: number;
  readonly direction: number;
  /** cents/MWh */
  readonly price: number;
}

/** The programme of the best trades with the offers. `taken`: of each period. */
function tradesOf({ terms, untraded, periods, offers, quarters }: PlayedMarket) {
  const programme = new Programme();
  programme.constant(untraded);
  const { position, least, most } = terms;
  const taken = periods.map((): Taken[] => []);
  const nets = periods.map((period, at) => {
    const flows = Array.from({ length: quarters }, (): Term[] => []);
    for (const offer of mergedOffers(offers[at]!)) taken[at]!.push(...takenOf(programme, offer, period, flows));
    let before: number | null = null;
    for (const flow of flows) {
      const held = programme.variable({ least, most });
      const [terms, sum]: [Term[], number] = before === null ? [[], position] : [[[before, -1]], 0];
      programme.row([[held, 1], ...terms, ...flow.map(([variable, factor]): Term => [variable, -factor])], sum, sum);
      before = held;
    }
    return before === null ? { constant: position, terms: [] } : { constant: 0, terms: [[before, 1] as Term] };
  });
  addPhysical(programme, terms, periods, nets);
  return { programme, taken };
}

/** Adds what may be taken of an offer in each quarter, also to the flows into the position. */
function takenOf(
  programme: Programme,
  { side, megawatts, prices }: Offer,
  { hours, value }: Period,
  flows: readonly Term[][],
): Taken[] {
  const direction = side === BUY ? -1 : 1;
  const taken = [...prices].map(([quarter, price]) => {
    const margin = direction * (value - price / CENTS_PER_DOLLAR) * hours;
    const variable = programme.variable({ most: megawatts, worth: margin });
    flows[quarter]?.push([variable, direction]);
    return { variable, direction, price };
  });
  if (taken.length > 1) programme.row(taken.map(({ variable }): Term => [variable, 1]), 0, megawatts);
  return taken;
}

/** Offers that came in one quarter at one price count as one. */
function mergedOffers(offers: readonly Offer[]): readonly Offer[] {
  const merged = new Map<string, Offer>();
  const others: Offer[] = [];
  for (const offer of offers) {
    if (offer.prices.size !== 1) {
      others.push(offer);
      continue;
    }
    const [[quarter, price]] = offer.prices as unknown as [[number, number]];
    const key = `${quarter} ${offer.side} ${price}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? offer : { ...known, megawatts: known.megawatts + offer.megawatts });
  }
  return [...merged.values(), ...others];
}
