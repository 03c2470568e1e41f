import { describe, expect, test } from "bun:test";
import { Arbitrageur } from "../../../sim/strategies/arbitrageur.ts";
import { quoted } from "./support.ts";

const strategy = new Arbitrageur({ leastGain: 10, leastPackageGain: 2 });
const NOTHING = { bid: null, ask: null };
/** This contract's expected value is 30 above the related one's. */
const ACCOUNT = { fundamentalValue: 230, buyQuantity: 8, sellQuantity: 8 };
const related = (bestBid: number | null, bestAsk: number | null, position = 0) => ({
  ...ACCOUNT,
  related: { bestBid, bestAsk, fundamentalValue: 200, position },
});

test("the arbitrageur is shown packages, and places no quote that would not trade", () => {
  expect(strategy).toMatchObject({ tradesPackages: true, onlyTakes: true });
});

describe("the arbitrageur, against spot", () => {
  test("buys at asks well below the expected value, and sells at bids well above it", () => {
    expect(quoted(strategy, { bestAsk: 220 }, ACCOUNT)).toEqual({ bid: [220, 8], ask: null });
    expect(quoted(strategy, { bestBid: 240 }, ACCOUNT)).toEqual({ bid: null, ask: [240, 8] });
  });

  test("does nothing if the gain is too small or the book is empty", () => {
    expect(quoted(strategy, { bestBid: 239, bestAsk: 221 }, ACCOUNT)).toEqual(NOTHING);
    expect(quoted(strategy, {}, ACCOUNT)).toEqual(NOTHING);
  });
});

describe("the arbitrageur, between nodes", () => {
  test("takes the larger of two gains", () => {
    // Buy here at 215 and sell there at 205 + 30: gain 20. Sell here at 240, expected value 230: gain 10.
    expect(quoted(strategy, { bestBid: 240, bestAsk: 215 }, related(205, 220))).toEqual({ bid: [215, 8], ask: null });
    // Sell here at 255: gain 25.
    expect(quoted(strategy, { bestBid: 255, bestAsk: 215 }, related(205, 220))).toEqual({ bid: null, ask: [255, 8] });
  });

  test("buys here and sells there if the other node bids more than the expected difference", () => {
    // 215 there is worth 245 here.
    expect(quoted(strategy, { bestBid: 225, bestAsk: 235 }, related(215, 220))).toEqual({ bid: [235, 8], ask: null });
    // The same opportunity from the other side: 235 there is worth 205 here.
    const other = { ...ACCOUNT, fundamentalValue: 200 };
    const here = { bestBid: 225, bestAsk: 235, fundamentalValue: 230, position: 0 };
    expect(quoted(strategy, { bestBid: 215, bestAsk: 220 }, { ...other, related: here }))
      .toEqual({ bid: null, ask: [215, 8] });
  });

  test("counts on the quote at which it would trade there, however wide the spread is", () => {
    expect(quoted(strategy, { bestBid: 232, bestAsk: 234 }, related(180, 205))).toEqual(NOTHING);
    expect(quoted(strategy, { bestBid: 226, bestAsk: 228 }, related(195, 250))).toEqual(NOTHING);
    expect(quoted(strategy, { bestBid: 226, bestAsk: 240 }, related(150, 185))).toEqual({ bid: null, ask: [226, 8] });
  });

  test("does nothing if prices differ as expected", () => {
    expect(quoted(strategy, { bestBid: 228, bestAsk: 232 }, related(198, 202))).toEqual(NOTHING);
  });

  test("closes a single leg at the expected value or better", () => {
    const long = { ...related(198, 202, -3), position: 5 };
    expect(quoted(strategy, { bestBid: 230, bestAsk: 235 }, long)).toEqual({ bid: null, ask: [230, 2] });
    expect(quoted(strategy, { bestBid: 229, bestAsk: 235 }, long)).toEqual(NOTHING);
    const short = { ...related(198, 202, 3), position: -5 };
    expect(quoted(strategy, { bestBid: 225, bestAsk: 230 }, short)).toEqual({ bid: [230, 2], ask: null });
  });

  test("closes only its own leg", () => {
    const both = { ...related(198, 202, 3), position: 5 };
    expect(quoted(strategy, { bestBid: 231, bestAsk: 235 }, both)).toEqual({ bid: null, ask: [231, 5] });
    const neither = { ...related(198, 202, 9), position: -5 };
    expect(quoted(strategy, { bestBid: 231, bestAsk: 235 }, neither)).toEqual(NOTHING);
  });

  test("buys back only its own leg, and closes at most the allowed quantity on each side", () => {
    const both = { ...related(198, 202, -3), position: -5 };
    expect(quoted(strategy, { bestBid: 225, bestAsk: 229 }, both)).toEqual({ bid: [229, 5], ask: null });
    const long = { ...related(198, 202, -9), position: 5 };
    expect(quoted(strategy, { bestBid: 225, bestAsk: 229 }, long)).toEqual(NOTHING);
    const little = { buyQuantity: 4, sellQuantity: 3 };
    expect(quoted(strategy, { bestBid: 225, bestAsk: 229 }, { ...both, ...little }).bid).toEqual([229, 4]);
    const sold = { ...related(198, 202, 3), position: 5, ...little };
    expect(quoted(strategy, { bestBid: 231, bestAsk: 235 }, sold).ask).toEqual([231, 3]);
  });

  test("keeps a position that the other node's position offsets", () => {
    expect(quoted(strategy, { bestBid: 231, bestAsk: 235 }, { ...related(198, 202, -5), position: 5 })).toEqual(
      NOTHING,
    );
  });
});

describe("the arbitrageur, between the base of a day, its peak and its hours", () => {
  /** The hours of the base, at the mean of their quotes. */
  const base = (bestBid: number | null, bestAsk: number | null, position = 0) => ({
    ...ACCOUNT,
    dayPackage: { role: "base" as const, bestBid, bestAsk, position },
  });
  const hour = (basePosition: number, position: number) => ({
    ...ACCOUNT,
    position,
    dayPackage: { role: "hour" as const, bestBid: null, bestAsk: null, position: basePosition },
  });
  /** `open`: what base and hours hold in the hours of the peak. */
  const peak = (open: number, bestBid: number | null, bestAsk: number | null) => ({
    ...ACCOUNT,
    dayPackage: { role: "peak" as const, bestBid, bestAsk, position: open },
  });
  const BOOK = { bestBid: 228, bestAsk: 232 };

  test("buys the base if its hours can be sold for more, and sells it if they can be bought for less", () => {
    expect(quoted(strategy, BOOK, base(234, 240))).toEqual({ bid: [232, 8], ask: null });
    expect(quoted(strategy, BOOK, base(220, 226))).toEqual({ bid: null, ask: [228, 8] });
  });

  test("does nothing in the base if the gain is too small or an hour has no quote, whatever it thinks of the value", () => {
    expect(quoted(strategy, { ...BOOK, bestAsk: 215 }, base(216.9, 240))).toEqual(NOTHING);
    expect(quoted(strategy, BOOK, base(null, null))).toEqual(NOTHING);
    expect(quoted(strategy, {}, base(300, 100))).toEqual(NOTHING);
  });

  test("begins no new package before the legs of the last one are closed", () => {
    expect(quoted(strategy, BOOK, { ...base(234, 240, -5), position: 8 })).toEqual(NOTHING);
    expect(quoted(strategy, BOOK, { ...base(234, 240, -8), position: 8 }).bid).toEqual([232, 8]);
    const exactly = { ...base(234, 240, -8), position: 9, buyQuantity: 10, sellQuantity: 4 };
    expect(quoted(strategy, BOOK, exactly).bid).toEqual([232, 10]);
    // A tenth of an order may be open, on either side.
    for (const open of [0.75, -0.75]) {
      expect(quoted(strategy, BOOK, { ...base(234, 240, -8), position: 8 + open }).bid).toEqual([232, 8]);
    }
    expect(quoted(strategy, BOOK, { ...base(234, 240, -8), position: 8.9 })).toEqual(NOTHING);
    expect(quoted(strategy, BOOK, { ...base(234, 240, -8), position: 7.1 })).toEqual(NOTHING);
  });

  test("takes the opposite position of the base in each hour, at the best quote", () => {
    expect(quoted(strategy, BOOK, hour(8, 0))).toEqual({ bid: null, ask: [228, 8] });
    expect(quoted(strategy, BOOK, hour(8, -5))).toEqual({ bid: null, ask: [228, 3] });
    expect(quoted(strategy, BOOK, hour(-8, 5))).toEqual({ bid: [232, 3], ask: null });
    expect(quoted(strategy, BOOK, hour(8, -8))).toEqual(NOTHING);
    expect(quoted(strategy, { bestAsk: 232 }, hour(8, 0))).toEqual(NOTHING);
    expect(quoted(strategy, { bestBid: 228 }, hour(-8, 0))).toEqual(NOTHING);
    expect(quoted(strategy, BOOK, { ...hour(8, 0), sellQuantity: 6 })).toEqual({ bid: null, ask: [228, 6] });
    expect(quoted(strategy, BOOK, { ...hour(-8, 0), buyQuantity: 7 })).toEqual({ bid: [232, 7], ask: null });
  });

  test("trades the peak against its hours as the base", () => {
    expect(quoted(strategy, BOOK, peak(0, 234, 240))).toEqual({ bid: [232, 8], ask: null });
    expect(quoted(strategy, BOOK, peak(0, 220, 226))).toEqual({ bid: null, ask: [228, 8] });
    expect(quoted(strategy, BOOK, peak(0, 229, 231))).toEqual(NOTHING);
  });

  test("takes the opposite position in the peak, unless its hours have a better price", () => {
    expect(quoted(strategy, BOOK, peak(8, 228, 240))).toEqual({ bid: null, ask: [228, 8] });
    expect(quoted(strategy, BOOK, peak(8, 229, 240))).toEqual(NOTHING);
    expect(quoted(strategy, BOOK, peak(8, null, null))).toEqual({ bid: null, ask: [228, 8] });
    expect(quoted(strategy, BOOK, peak(-8, 220, 232))).toEqual({ bid: [232, 8], ask: null });
    expect(quoted(strategy, BOOK, peak(-8, 220, 231))).toEqual(NOTHING);
    expect(quoted(strategy, {}, peak(-8, 220, 231))).toEqual(NOTHING);
  });

  test("trades nothing else in an hour of a package", () => {
    expect(quoted(strategy, { bestBid: 100, bestAsk: 101 }, hour(0, 0))).toEqual(NOTHING);
  });
});
