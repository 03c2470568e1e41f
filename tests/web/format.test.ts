import { describe, expect, test } from "bun:test";
import {
  alignedQuantity,
  compact,
  decimalsOf,
  money,
  NONE,
  percent,
  price,
  quantity,
  signed,
  signedPrice,
  signedQuantity,
} from "../../web/components/format.ts";
import { age, countdown, duration, time, zoneName } from "../../web/components/time-format.ts";

describe("numbers", () => {
  test("a price in cents is shown in dollars, and a negative one has a minus sign as wide as a digit", () => {
    expect([4673, 0, 100, 12345600, -1250].map(price)).toEqual(["46.73", "0.00", "1.00", "123,456.00", "\u221212.50"]);
  });

  test("an absent value is a dash in every format", () => {
    for (const format of [price, quantity, money, compact, signed, signedPrice, percent]) {
      expect([format(null), format(undefined)]).toEqual([NONE, NONE]);
    }
  });

  test("a quantity has at most three decimals and no trailing zeros", () => {
    expect([12, 12.5, 0.0004, 1234.5678].map(quantity)).toEqual(["12", "12.5", "0", "1,234.568"]);
  });

  test("a column of quantities has as many decimals as each of them needs, at most three", () => {
    expect([[], [3, -2], [1, 2.5], [0.1 + 0.2], [0.125, 1], [1.23456]].map(decimalsOf)).toEqual([0, 0, 1, 1, 3, 3]);
    expect([1.5, 2, -0.001, null].map((value) => alignedQuantity(value, 2))).toEqual(["1.50", "2.00", "0.00", NONE]);
    expect([signedQuantity(12.5), signedQuantity(-0.25), signedQuantity(0)]).toEqual(["+12.5", "\u22120.25", "0"]);
  });

  test("a profit and a change of price have their sign, and zero has none", () => {
    expect([1234.5, -12, 0, -0.001, 0.001].map(signed)).toEqual(["+1,234.50", "\u221212.00", "0.00", "0.00", "0.00"]);
    expect([25, -3].map(signedPrice)).toEqual(["+0.25", "\u22120.03"]);
  });

  test("a fraction becomes a percentage", () => {
    expect([percent(0.1234), percent(-0.5, 0), percent(NaN)]).toEqual(["12.3 %", "\u221250 %", NONE]);
  });
});

describe("times", () => {
  const at = "2026-07-01T20:05:09.123Z";

  test("a time is shown in the market's time zone", () => {
    expect([time(at, "America/Edmonton"), time(at, "Europe/Berlin", "minutes")]).toEqual(["14:05:09", "22:05"]);
    expect(zoneName(at, "America/Edmonton")).toBe("MDT");
    expect(time("2026-07-01T00:00:00Z", "UTC")).toBe("00:00:00");
  });

  test.each<[Parameters<typeof time>[2], string]>([
    ["time", "14:05:09"],
    ["minutes", "14:05"],
    ["date", "Wed, Jul 1"],
    ["dayMonth", "Jul 1"],
    ["dateTime", "Jul 1, 14:05:09"],
    ["full", "Wed, Jul 1, 2026, 14:05:09 MDT"],
  ])("the parts %s of a time are %p, the same again, and none of another zone", (parts, expected) => {
    expect([time(at, "America/Edmonton", parts), time(Date.parse(at), "America/Edmonton", parts)])
      .toEqual([expected, expected]);
    expect(time(at, "Asia/Tokyo", parts)).not.toBe(expected);
  });

  test("an unknown time zone counts as UTC, and an unreadable time is a dash", () => {
    expect([time(at, "Mars/Olympus"), time("soon", "UTC"), time(null, "UTC")]).toEqual(["20:05:09", NONE, NONE]);
  });

  test("a duration has its largest unit", () => {
    expect([0, 999, 59_999, 60_000, 3_600_000, 86_399_999, 86_400_000].map(duration))
      .toEqual(["0 s", "0 s", "59 s", "1 min", "1 h", "23 h", "1 d"]);
  });

  test("an age is before, after, or now", () => {
    const now = Date.parse(at);
    expect([125_000, -7_200_000, 500, 999, 1_000].map((ms) => age(at, now + ms)))
      .toEqual(["2 min ago", "in 2 h", "now", "now", "1 s ago"]);
  });

  test("a countdown never falls below zero", () => {
    expect([3_750_000, 65_000, 900, -5].map(countdown)).toEqual(["1:02:30", "1:05", "0:01", "0:00"]);
  });
});
