// What a persona shows its strategy before it quotes.

import { expect, test } from "bun:test";
import { DiscretionaryMandate } from "../../../sim/personas/discretionary-mandate.ts";
import type { Situation } from "../../../sim/personas/mandate.ts";
import { MarketListeners } from "../../../sim/personas/market-listeners.ts";
import type { ContractBook } from "../../../sim/personas/persona.ts";
import { plantSettings } from "../../../sim/personas/physical/asset-settings.ts";
import { Plant } from "../../../sim/personas/physical/plant.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { TraderViews } from "../../../sim/personas/trader-views.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { Account, AllQuotes, MarketView, Strategy } from "../../../sim/strategies/strategy.ts";
import { StrategyFault } from "../../../sim/strategies/strategy.ts";
import { always, contract, HOUR, personaWith, profileOf, START, view } from "./support.ts";

const NORTH = contract(0, { productId: "P" });
const WEST = contract(1, { productId: "Q", node: "WEST" });
const BOOKS: Readonly<Record<string, ContractBook>> = {
  [NORTH.id]: { bestBid: 3_900, bestAsk: 4_100, lastPrice: 4_000 },
  [WEST.id]: { bestBid: 2_900, bestAsk: 3_100, lastPrice: null },
};
const VALUES: Readonly<Record<string, number>> = { [NORTH.id]: 4_050, [WEST.id]: 3_050 };

/** A persona in both contracts, which holds 2 MW of the first and -3 MW of the second, and what it showed last of each. */
function shown() {
  const seen = new Map<string, { market: MarketView; account: Account; all: ReturnType<AllQuotes> }>();
  let current: TradedContract = NORTH;
  let isNext = false;
  const strategy: Strategy = {
    quote(market, account, quotes, allQuotes) {
      seen.set(current.id, structuredClone({ market, account, all: allQuotes?.() ?? [] }));
      quotes.set(0, 2_800, 1_000);
    },
  };
  const persona = personaWith({
    contracts: [NORTH, WEST],
    strategy,
    mandate: {
      wake: () => void (isNext = true),
      next: () => isNext ? (isNext = false, current) : null,
      review: (of, { forecast }, terms) => {
        terms.limitPrice = forecast + 100;
        terms.value = forecast;
        terms.buyQuantity = of === NORTH ? 7_000 : 5_000;
        terms.sellQuantity = of === NORTH ? 4_000 : 6_000;
      },
      forget: () => {},
    },
    forecasts: { advanceTo: () => {}, of: ({ id }: TradedContract) => VALUES[id]! } as never,
  });
  const look = (of: TradedContract, time = START) => {
    current = of;
    return persona.act(view({ time, book: ({ id }) => BOOKS[id]! }));
  };
  return { persona, seen, look };
}

test("a strategy sees its own contract, and the one for the same delivery at the other node", () => {
  const { persona, seen, look } = shown();
  for (const [of, quantity] of [[NORTH, 2_000], [WEST, 3_000]] as const) {
    const [{ reference } = { reference: NaN }] = look(of);
    persona.onAccepted(reference);
    persona.account.fill(of, of === NORTH ? 0 : 1, 4_000, quantity);
  }
  look(NORTH, START + HOUR);
  look(WEST, START + HOUR);
  expect(seen.get(NORTH.id)).toMatchObject({
    market: { ...BOOKS[NORTH.id], time: START + HOUR, timeLeftMs: 23 * HOUR },
    account: {
      limitPrice: 4_150,
      fundamentalValue: 4_050,
      buyQuantity: 7_000,
      sellQuantity: 4_000,
      averagePrice: 4_000,
      workingBid: 2_800,
      workingAsk: null,
      related: { bestBid: 2_900, bestAsk: 3_100, fundamentalValue: 3_050, position: -3_000 },
    },
  });
  expect(seen.get(WEST.id)).toMatchObject({
    market: BOOKS[WEST.id],
    account: {
      fundamentalValue: 3_050,
      buyQuantity: 5_000,
      sellQuantity: 6_000,
      related: { bestBid: 3_900, bestAsk: 4_100, fundamentalValue: 4_050, position: 2_000 },
    },
    all: [
      { ...BOOKS[NORTH.id], contract: { id: NORTH.id }, fundamentalValue: 4_050, position: 2_000 },
      { ...BOOKS[WEST.id], contract: { id: WEST.id }, fundamentalValue: 3_050, position: -3_000 },
    ],
  });
});

test("a strategy sees no time left, and never less than none, once delivery has begun", () => {
  const { seen, look } = shown();
  look(NORTH, NORTH.deliveryStart + HOUR);
  expect(seen.get(NORTH.id)?.market.timeLeftMs).toBe(0);
  // Nor is either contract traded.
  expect(seen.get(NORTH.id)?.all).toEqual([]);
});

test("a strategy and its mandate see the position, a strategy also the rest of the package and its own plant", () => {
  const base = contract(0);
  const hours = Array.from({ length: 24 }, (_, at) => {
    const deliveryStart = base.deliveryStart + at * HOUR;
    return contract(1 + at, { type: "hour", minutes: 60, deliveryStart, deliveryEnd: deliveryStart + HOUR });
  });
  const settings = plantSettings.parse({ name: "mine", node: "NORTH", capacityMw: 50, cost: 2_000 });
  const situations: Situation[] = [];
  const seen: Account[] = [];
  let left = 0;
  const persona = personaWith({
    contracts: [base, ...hours],
    own: new Plant(settings, () => 1),
    strategy: {
      tradesPackages: true,
      quote(_market, account, quotes) {
        seen.push(structuredClone(account));
        quotes.set(0, 3_900, 5_000);
      },
    },
    mandate: {
      wake: () => void (left = 1),
      next: () => left-- > 0 ? base : null,
      review: (_of, situation, terms) => {
        situations.push(situation);
        Object.assign(terms, { limitPrice: 4_000, value: 4_000, spreadFactor: 1.5, buyQuantity: 5_000 });
      },
      forget: () => {},
    },
  });
  const { reference } = persona.act(view())[0]!;
  persona.onAccepted(reference);
  persona.onFill(reference, 3_900, 2_000);
  persona.account.fill(hours[3]!, 0, 3_000, 12_000);
  persona.act(view({ time: START + HOUR, book: () => BOOKS[NORTH.id]! }));
  expect(situations[1]).toEqual({ time: START + HOUR, forecast: 4_000, position: 2_000, book: BOOKS[NORTH.id]! });
  expect(seen[1]).toMatchObject({
    position: 2_000,
    spreadFactor: 1.5,
    // 15 % of a plant are a day's base.
    physical: { quantity: 0.15 * 50_000, unitCost: 2_000 },
    asset: { name: "mine", capacity: 50_000, position: 2_000 + 12_000 / 24 },
    dayPackage: { role: "base", bestBid: 3_900, bestAsk: 4_100, position: 12_000 / 24 },
  });
});

test("a persona values a position by the book until its delivery begins, then by the forecast", () => {
  const views = new TraderViews({ forecasts: { of: () => 4_050 } } as never, null as never, null as never);
  const markAt = (time: number) => views.markOf(NORTH, view({ time, book: () => BOOKS[NORTH.id]! }));
  expect([NORTH.deliveryStart - 1, NORTH.deliveryStart].map(markAt)).toEqual([4_000, 4_050]);
});

test("a persona with half of its size still trades a lot", () => {
  const mandate = () => {
    const options = { profile: profileOf([contract(0)], ["NORTH"], 1), leastLots: 1, mostLots: 1 };
    return new DiscretionaryMandate({ ...options, random: new SeededRandom(1) });
  };
  const strategy = always(4_000, 5_000, 0, 0);
  const persona = personaWith({ strategy, lossLimit: 1, mandate: mandate() });
  const [bought] = persona.act(view());
  persona.onAccepted(bought!.reference);
  persona.onFill(bought!.reference, 4_000, 1_000);
  const book = () => ({ bestBid: 900, bestAsk: 1_100, lastPrice: null });
  const one = personaWith({ strategy, mandate: mandate() }).act(view())[0];
  expect(one).toMatchObject({ quantity: 1_000 });
  expect(persona.act(view({ time: START + 5 * HOUR, book }))).toEqual([]);
  expect(persona.economics.stops).toBe(1);
  expect(persona.act(view({ time: START + 12 * HOUR, book }))[0]).toMatchObject({ ...one, reference: 2 });
});

test("a persona whose strategy fails withdraws its orders and hears of the market no more", () => {
  const listeners = new MarketListeners();
  let fails = false;
  const strategy: Strategy = {
    quote: (_market, _account, quotes) => {
      if (fails) throw new StrategyFault("it failed");
      quotes.set(0, 3_900, 1_000);
    },
    observe: () => {},
  };
  const persona = personaWith({ strategy, listeners });
  const [bid] = persona.act(view());
  persona.onAccepted(bid!.reference);
  expect([persona.fault, listeners.isHeard(contract(0), true)]).toEqual([null, true]);
  fails = true;
  expect(persona.act(view({ time: START + 1 }))).toEqual([{ kind: "cancel", reference: bid!.reference }]);
  expect([persona.fault, listeners.isHeard(contract(0), true)]).toEqual(["it failed", false]);
  fails = false;
  persona.onAccepted(bid!.reference);
  // Its cancel has no second one while it is unanswered.
  expect(persona.act(view({ time: START + 2 }))).toEqual([]);
  persona.onClosed(bid!.reference);
  expect(persona.act(view({ time: START + 3 }))).toEqual([]);
});
