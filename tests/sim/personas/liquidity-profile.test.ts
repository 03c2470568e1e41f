// Which contracts are traded, and how often each is chosen. That must not depend on when anybody asked before: metrics and
// tapes ask, too.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { LiquidityProfile } from "../../../sim/personas/liquidity-profile.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { contract, HOUR, profileOf, START } from "./support.ts";

const TYPES = ["hour", "base", "peak", "week"] as const;
const CONTRACTS = Array.from({ length: 24 }, (_, index) => {
  const type = TYPES[index % TYPES.length]!;
  const deliveryStart = START + (2 + Math.floor(index / 3)) * HOUR;
  return contract(index, { type, productId: type, deliveryStart, deliveryEnd: START + 40 * HOUR });
});

/** The contracts drawn at a time by a profile that was asked at the times before. */
function drawn(asked: readonly number[], time: number): (TradedContract | null)[] {
  const profile = profileOf(CONTRACTS, ["NORTH"], 2);
  for (const before of asked) profile.at(before);
  const random = new SeededRandom(1);
  return Array.from({ length: 50 }, () => profile.pick(time, random));
}

test("the contracts that are chosen depend on the time alone, not on earlier questions", () => {
  const minutes = fc.integer({ min: 0, max: 6 * 60 }).map((minute) => START + minute * 60_000);
  fc.assert(fc.property(fc.array(minutes), minutes, (asked, time) => {
    const before = asked.filter((each) => each <= time).toSorted((one, other) => one - other);
    const ids = (list: (TradedContract | null)[]) => list.map((contract) => contract?.id);
    expect(ids(drawn(before, time))).toEqual(ids(drawn([], time)));
  }));
});

test("after a question about a later time, the contracts of an earlier time are those of then", () => {
  const profile = profileOf(CONTRACTS, ["NORTH"], 2);
  const before = profile.at(START);
  profile.at(START + 6 * HOUR);
  expect(profile.at(START)).toEqual(before);
});

describe("contracts that are traded", () => {
  const MINUTE = HOUR / 60;
  const starting = (index: number, hours: number, changes: Partial<TradedContract> = {}) =>
    contract(index, { productId: "P", deliveryStart: START + hours * HOUR, ...changes });
  const indices = (profile: LiquidityProfile, time = START) => profile.at(time).map(({ index }) => index);

  test("are the nearest of each product, but all single hours, nearest delivery first, and those listed first", () => {
    const contracts = [
      starting(5, 30),
      starting(0, 30),
      starting(1, 10),
      starting(2, 20),
      starting(3, 40, { productId: "Q" }),
      ...[6, 7, 8, 9].map((index) => starting(index, index, { productId: "H", type: "hour" })),
      starting(4, 1, { node: "ELSEWHERE" }),
    ];
    const profile = profileOf(contracts, ["NORTH"], 3);
    expect(indices(profile)).toEqual([6, 7, 8, 9, 1, 2, 0, 3]);
    profile.remove(contracts[2]!);
    expect(indices(profile)).toEqual([6, 7, 8, 9, 2, 0, 5, 3]);
    profile.remove(contracts[2]!);
    profile.add(starting(10, 5));
    expect(indices(profile)).toEqual([10, 6, 7, 8, 9, 2, 0, 3]);
    expect(profile.isTraded(contracts[0]!, START)).toBe(false);
    expect(profile.isTraded(contracts[1]!, START)).toBe(true);
  });

  test.each(
    [
      ["hour", 5],
      ["peak", 5],
      ["base", 0],
      ["weekend", 0],
      ["week", 0],
      ["month", 0],
      ["quarter", 0],
      ["year", 0],
    ] as const,
  )("of the type %s are left %d minutes before delivery, and the next one moves up", (type, minutes) => {
    const [near, far] = [starting(0, 24, { type }), starting(1, 48, { type })];
    const profile = profileOf([near, far], ["NORTH"], type === "hour" ? 2 : 1);
    const end = near.deliveryStart - minutes * MINUTE;
    expect(indices(profile, end - 1)[0]).toBe(0);
    expect(indices(profile, end)).toEqual([1]);
  });
});

describe("a contract is chosen", () => {
  /** How much more often the first one is chosen than the second. */
  function ratio(
    contracts: readonly TradedContract[],
    time = START,
    busy = (_node: string) => 1,
  ): number {
    const asked = new Set<number>();
    const profile = new LiquidityProfile(["NORTH", "WEST"], 9, {
      ratioAt: (node, hour) => (asked.add(hour), busy(node)),
    });
    for (const each of contracts) profile.add(each);
    const random = new SeededRandom(5);
    const picked = Array.from({ length: 30_000 }, () => profile.pick(time, random)?.index);
    expect([...asked]).toEqual([Math.floor(time / HOUR) * HOUR]);
    const [one, other, third = 0] = contracts.map(({ index }) => picked.filter((each) => each === index).length);
    expect(one! + other! + third).toBe(picked.length);
    return one! / other!;
  }
  const far = { deliveryStart: START + 5_000 * HOUR };
  const later = { deliveryStart: START + 6_000 * HOUR };

  test("half as often as the one of its product before it, and single hours all alike", () => {
    expect(ratio([contract(0, { ...far, productId: "P" }), contract(1, { ...later, productId: "P" })])).toBeWithin(
      1.9,
      2.1,
    );
    const [first, second, third] = [far, later, { deliveryStart: START + 7_000 * HOUR }].map((changes, index) =>
      contract(index, { ...changes, productId: "P" })
    );
    expect(ratio([second!, third!, first!])).toBeWithin(1.85, 2.15);
    const hour = { productId: "P", type: "hour" } as const;
    expect(ratio([contract(0, { ...far, ...hour }), contract(1, { ...later, ...hour })])).toBeWithin(0.95, 1.05);
  });

  test("as often as its product is traded", () => {
    expect(ratio([contract(0, far), contract(1, { ...far, type: "peak" })])).toBeWithin(1.9, 2.1);
    expect(ratio([contract(0, { ...far, type: "month" }), contract(1, { ...far, type: "year" })])).toBeWithin(1.9, 2.1);
    expect(ratio([contract(0, far), contract(1, { ...far, type: "hour" })])).toBeGreaterThan(50);
  });

  test("more often the nearer its delivery is, above all a single hour", () => {
    const at = (type: TradedContract["type"], hours: number) =>
      ratio([contract(0, { type, deliveryStart: START + hours * HOUR }), contract(1, { type, ...far })]);
    expect(at("base", 8)).toBeWithin(1 + 2 / Math.E - 0.1, 1 + 2 / Math.E + 0.1);
    expect(at("hour", 2)).toBeWithin(1 + 30 / Math.E - 1, 1 + 30 / Math.E + 1);
    expect(at("week", 24)).toBeWithin(1 + 2 / Math.E - 0.1, 1 + 2 / Math.E + 0.1);
  });

  test("more often in the busy hours of its node", () => {
    const pair = [contract(0, far), contract(1, { ...far, node: "WEST" })] as const;
    const busy = (node: string) => node === "NORTH" ? 3 : 1;
    expect(ratio([...pair], START + HOUR / 2, busy)).toBeWithin(2.8, 3.2);
  });

  test("never if none is traded", () => {
    const profile = profileOf([contract(0)], ["NORTH"], 1);
    expect(profile.pick(START + 24 * HOUR, new SeededRandom(1))).toBeNull();
  });
});

describe("the related contract", () => {
  const own = contract(1);
  const at = (changes: Partial<TradedContract> = {}) => contract(2, { node: "WEST", ...changes });

  test("has the same delivery at the other node", () => {
    const profile = profileOf([own, at()], ["NORTH", "WEST"], 2);
    expect([profile.related(own)?.index, profile.related(at())?.index]).toEqual([2, 1]);
    profile.remove(own);
    expect([profile.related(own)?.index, profile.related(at())]).toEqual([2, null]);
  });

  test.each<[string, Partial<TradedContract>]>([
    ["node", { node: own.node }],
    ["market", { marketId: "OTHER" }],
    ["type", { type: "week" }],
    ["shape", { shape: own.shape === "peak" ? "base" : "peak" }],
    ["start", { deliveryStart: own.deliveryStart + HOUR }],
    ["end", { deliveryEnd: own.deliveryEnd + HOUR }],
  ])("is none that differs in the %s", (_name, changes) => {
    expect(profileOf([own, at(changes)], ["NORTH", "WEST"], 2).related(own)).toBeNull();
  });
});
