// In which contracts a market maker acts at a wake-up, and what it wants there.

import { describe, expect, test } from "bun:test";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { MakerMandate } from "../../../sim/personas/maker-mandate.ts";
import { emptyTerms } from "../../../sim/personas/mandate.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { contract, HOUR, profileOf, START } from "./support.ts";

const EMPTY_BOOK = { bestBid: null, bestAsk: null, lastPrice: null };
const LOTS = 8;
const MINUTE = HOUR / 60;

/** A maker whose own forecast of each contract, 4,000 cents/MWh at first, is the test's. */
function makerOf(contracts: readonly TradedContract[]) {
  const changes = new Map<number, number>();
  const forecasts = {
    revision: 0,
    announcements: 0,
    of: ({ index }: TradedContract) => 4_000 + (changes.get(index) ?? 0),
  };
  const profile = profileOf(contracts, ["NORTH", "WEST"], 100);
  const random = new SeededRandom(3);
  const maker = new MakerMandate({ profile, forecasts: forecasts as never, halfSpread: 0.01, lots: LOTS, random });
  /** The contracts that it acts in, in order, at a wake-up. */
  const wake = (time = START): TradedContract[] => {
    maker.wake(time);
    const acted: TradedContract[] = [];
    for (let next = maker.next(time); next !== null; next = maker.next(time)) acted.push(next);
    return acted;
  };
  const terms = (of: TradedContract, position = 0, time = START) => {
    const wanted = emptyTerms();
    maker.review(of, { time, forecast: NaN, position, book: EMPTY_BOOK }, wanted);
    return wanted;
  };
  const revise = (of: TradedContract, by: number, { isAnnounced = false } = {}) => {
    changes.set(of.index, (changes.get(of.index) ?? 0) + by);
    forecasts.revision += 1;
    if (isAnnounced) forecasts.announcements += 1;
  };
  const update = (of: TradedContract, side: Side, isTrade: boolean, time = START) =>
    maker.observe({ contract: of, side, price: 4_000, quantity: 1_000, isTrade }, time);
  return { maker, profile, wake, terms, revise, update };
}

const many = (count: number, changes: Partial<TradedContract> = {}) =>
  Array.from({ length: count }, (_, index) => contract(index, changes));

const hourOf = (index: number, place: number, changes: Partial<TradedContract> = {}) => {
  const deliveryStart = START + (24 + place) * HOUR;
  return contract(index, { type: "hour", deliveryStart, deliveryEnd: deliveryStart + HOUR, minutes: 60, ...changes });
};

describe("the sizes of a maker's orders", () => {
  test("are whole lots, drawn for each side by itself, at the listing and whenever its belief has moved", () => {
    const contracts = many(60);
    const { wake, terms, revise } = makerOf(contracts);
    wake();
    for (const time of [START, START + HOUR]) {
      const sizes = contracts.map((each) => terms(each, 0, time)).map(({ buyQuantity, sellQuantity }) =>
        [buyQuantity, sellQuantity] as const
      );
      expect(sizes.flat().every((size) => size >= 1_000 && size % 1_000 === 0)).toBe(true);
      expect(sizes.filter(([bid, ask]) => bid === ask).length).toBeLessThan(20);
      for (const side of [0, 1] as const) {
        const mean = sizes.reduce((sum, each) => sum + each[side], 0) / sizes.length;
        expect(mean).toBeWithin(0.6 * LOTS * 1_000, 1.6 * LOTS * 1_000);
      }
      for (const each of contracts) revise(each, 500);
      wake(START + HOUR);
    }
  });

  test("stay while its belief stays", () => {
    const [only] = many(1) as [TradedContract];
    const { wake, terms, revise } = makerOf([only]);
    wake();
    const { buyQuantity, sellQuantity } = terms(only);
    for (let count = 0; count < 5; count++) expect(terms(only)).toMatchObject({ buyQuantity, sellQuantity });
    revise(only, 500, { isAnnounced: true });
    wake();
    const moved = terms(only);
    expect(moved).not.toMatchObject({ buyQuantity, sellQuantity });
    expect(terms(only)).toEqual(moved);
  });
});

describe("a maker's spread", () => {
  const [only] = many(1, { deliveryStart: START + 2_000 * HOUR, deliveryEnd: START + 2_024 * HOUR }) as [
    TradedContract,
  ];

  test.each([[1], [-1]])(
    "grows by 30 %% for a usual order that is filled, and shrinks again in minutes (%d)",
    (sign) => {
      const { wake, terms } = makerOf([only]);
      wake();
      expect(terms(only).spreadFactor).toBeCloseTo(1, 6);
      const position = sign * LOTS * only.lot;
      const filled = terms(only, position);
      expect(filled.spreadFactor).toBeCloseTo(1.3, 6);
      expect(filled.tolerance).toBeCloseTo(0.25 * 40, 6);
      expect(terms(only, position, START + 3 * MINUTE).spreadFactor).toBeCloseTo(1 + 0.3 / Math.E, 6);
      expect(terms(only, position, START + 6 * MINUTE).spreadFactor).toBeCloseTo(1 + 0.3 / Math.E ** 2, 6);
      expect(terms(only, position, START + 60 * MINUTE).spreadFactor).toBeCloseTo(1, 6);
      // It was filled on the other side: its position is 0 again, and it may have been picked off again.
      expect(terms(only, 0, START + 60 * MINUTE).spreadFactor).toBeCloseTo(1.3, 6);
    },
  );

  test("grows no further after four usual orders", () => {
    const { wake, terms } = makerOf([only]);
    wake();
    expect(terms(only, 100 * LOTS * only.lot).spreadFactor).toBeCloseTo(1 + 4 * 0.3, 6);
  });

  test("grows by 60 % until delivery, by most in the last hours", () => {
    const near = contract(0);
    const { wake, terms } = makerOf([near]);
    wake();
    const at = (hoursLeft: number) => terms(near, 0, near.deliveryStart - hoursLeft * HOUR).spreadFactor;
    expect(at(20)).toBeCloseTo(1, 6);
    expect(at(1)).toBeCloseTo(1 + 0.6 / Math.E, 6);
    expect(at(0)).toBeCloseTo(1.6, 6);
    expect(at(-1)).toBeCloseTo(1.6, 6);
  });

  test("grows and shrinks with the square root of the volatility that it sees, within bounds", () => {
    const { wake, terms, revise } = makerOf([only]);
    wake();
    let time = START;
    const after = (steps: number, by: number) => {
      for (let step = 0; step < steps; step++) {
        revise(only, step % 2 === 0 ? by : -by);
        wake(time += 5 * MINUTE);
      }
      const { spreadFactor, value, tolerance } = terms(only, 0, time);
      // In calm times it is part of the spread that is quoted, in wild ones of the usual spread.
      expect(tolerance).toBeCloseTo(0.25 * 0.01 * Math.min(value, 4_000 * spreadFactor), 6);
      return spreadFactor / (value / 4_000);
    };
    expect(after(12, 300)).toBeWithin(1.2, 4);
    expect(after(400, 0)).toBeCloseTo(0.5, 2);
    expect(after(40, 5_000)).toBeCloseTo(8, 2);
  });

  test("leaves a quote of a single hour further from the wanted price than one of a base", () => {
    const [base, hour] = [contract(0), hourOf(1, 0)];
    const { wake, terms } = makerOf([base, hour]);
    wake();
    // 1 % of 4,000 cents for a base; an hour is quoted 3.5 x 33/21 times as wide.
    expect(terms(base).tolerance).toBeCloseTo(0.25 * 40, 4);
    expect(terms(hour).tolerance).toBeCloseTo(0.5 * 40 * 3.5 * 0.33 / 0.21, 3);
  });
});

describe("a maker reviews", () => {
  test("every contract when it is listed, single hours last, then ten in turn at each wake-up", () => {
    const contracts = [hourOf(0, 0), hourOf(1, 1), ...many(30).map((each, at) => ({ ...each, index: at + 2 }))];
    const { wake } = makerOf(contracts);
    const first = wake();
    expect(first.map(({ index }) => index)).toEqual([...contracts.keys()].map((at) => at < 30 ? at + 2 : at - 30));
    const later = Array.from({ length: 16 }, () => wake());
    expect(later.every(({ length }) => length === 10)).toBe(true);
    // 160 reviews of 32 contracts.
    const counts = Map.groupBy(later.flat(), ({ index }) => index).values().map(({ length }) => length);
    expect([...counts]).toEqual(Array<number>(32).fill(5));
  });

  test("a contract that was traded at the next wake-up, once, and none that was only quoted", () => {
    const contracts = many(40);
    const { wake, terms, update } = makerOf(contracts);
    for (const each of wake()) terms(each);
    // The first ten in turn are those of the indices 1 to 10.
    update(contracts[39]!, BUY, false);
    expect(wake().map(({ index }) => index)).not.toContain(39);
    update(contracts[39]!, BUY, true);
    update(contracts[39]!, SELL, true);
    expect(wake().filter(({ index }) => index === 39)).toHaveLength(1);
  });

  test.each([[1], [-1]])("a contract of which its belief has moved by more than the tolerance, %d way", (sign) => {
    const contracts = many(40);
    const { wake, terms, revise } = makerOf(contracts);
    for (const each of wake()) terms(each);
    revise(contracts[39]!, sign * 9, { isAnnounced: true });
    expect(wake().map(({ index }) => index)).not.toContain(39);
    revise(contracts[39]!, sign * 2, { isAnnounced: true });
    expect(wake().map(({ index }) => index)).toContain(39);
  });

  test("no contract that was delivered or has left meanwhile, and one that is new", () => {
    const [first, second, third] = many(3) as [TradedContract, TradedContract, TradedContract];
    const { maker, profile, wake } = makerOf([first, second]);
    maker.wake(START);
    profile.remove(first);
    expect(maker.next(START)).toBe(second);
    expect(maker.next(START)).toBeNull();
    maker.forget(first);
    profile.add(third);
    expect(wake()).toContain(third);
    const fourth = contract(3);
    profile.add(fourth);
    expect(wake()[0]).toBe(fourth);
    expect(wake(third.deliveryStart)).toEqual([]);
  });
});

describe("a maker's value", () => {
  test("follows all of what is announced to everybody, and a part of its own revision", () => {
    const [one, other] = many(2) as [TradedContract, TradedContract];
    const { wake, terms, revise } = makerOf([one, other]);
    wake();
    revise(one, 400, { isAnnounced: true });
    wake();
    expect(terms(one)).toMatchObject({ value: 4_400, limitPrice: 4_400, assignment: null });
    expect(terms(other).value).toBe(4_000);
    revise(other, 400);
    wake();
    expect(terms(other).value).toBeCloseTo(4_360, 9);
    wake();
    expect(terms(other).value).toBeCloseTo(4_360, 9);
  });

  test("comes nearer to the middle of the book that it sees", () => {
    const [only] = many(1) as [TradedContract];
    const { maker, wake } = makerOf([only]);
    wake();
    const wanted = emptyTerms();
    const book = { bestBid: 4_090, bestAsk: 4_110, lastPrice: null };
    maker.review(only, { time: START + 2 * MINUTE, forecast: NaN, position: 0, book }, wanted);
    expect(wanted.value).toBeCloseTo(4_000 + 100 * (1 - 1 / Math.E), 9);
  });

  test("rises when others buy and falls when they sell", () => {
    for (const side of [BUY, SELL]) {
      const [only] = many(1) as [TradedContract];
      const { wake, terms, update } = makerOf([only]);
      wake();
      update(only, side, true);
      const moved = terms(only).value - 4_000;
      expect(Math.sign(moved)).toBe(side === BUY ? 1 : -1);
    }
  });

  test.each([
    ["the mean of its hours if all are quoted", {}, 24, 4_000 + 240 / 24],
    ["its own if an hour is missing", {}, 23, 4_000],
    ["its own if an hour is listed twice", {}, 25, 4_000],
    ["its own if an hour is delivered at another node", { node: "WEST" }, 24, 4_000],
    ["its own if an hour is of another market", { marketId: "OTHER" }, 24, 4_000],
  ])("of a day's base, and of a peak, is %s", (_what, changes, count, expected) => {
    const wholes = [contract(0), contract(99, { type: "peak" })];
    const hours = Array.from(
      { length: count },
      (_, place) => hourOf(place + 1, place % 24, place === 23 ? changes : {}),
    );
    const { wake, terms, revise } = makerOf([...wholes, ...hours]);
    wake();
    revise(hours[3]!, 240, { isAnnounced: true });
    wake();
    for (const whole of wholes) expect(terms(whole).value).toBeCloseTo(expected, 9);
  });
});
