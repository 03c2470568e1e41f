import { describe, expect, test } from "bun:test";
import { CandleBuilder } from "../../web/components/candles.ts";
import { firstChange } from "../../web/components/chart-series.ts";

function trade(time: string, price: number, quantity = 1) {
  return { time: `2026-11-23T${time}Z`, price, quantity };
}

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`) / 1_000;

/** The builder of candles of a minute that has got these trades. */
function minutesOf(...trades: readonly (readonly [time: string, price: number, quantity?: number])[]): CandleBuilder {
  const builder = new CandleBuilder(60);
  for (const each of trades) builder.add(trade(...each));
  return builder;
}

describe("candles", () => {
  test("a candle has the first, highest, lowest and last price of its time, and the sum of the quantities", () => {
    const of10 = [["10:00:01", 50, 2], ["10:00:02", 53, 2], ["10:00:30", 48, 2], ["10:00:59", 51, 2]] as const;
    expect(minutesOf(...of10, ["10:01:00", 60, 5]).content).toEqual({
      candles: [
        { time: at("10:00:00"), open: 50, high: 53, low: 48, close: 51, volume: 8 },
        { time: at("10:01:00"), open: 60, high: 60, low: 60, close: 60, volume: 5 },
      ],
      volumes: [{ time: at("10:00:00"), value: 8 }, { time: at("10:01:00"), value: 5 }],
    });
  });

  test("above 5,000 the oldest tenth goes, each candle with its volume", () => {
    const builder = new CandleBuilder(60);
    const minute = (at: number) => new Date(at * 60_000).toISOString();
    for (let at = 0; at <= 5_000; at++) builder.add({ time: minute(at), price: 1, quantity: at + 1 });
    const { candles, volumes } = builder.content;
    expect([candles.length, candles[0]!.time, candles.at(-1)!.time]).toEqual([4_501, 500 * 60, 5_000 * 60]);
    expect(volumes.map(({ time }) => time)).toEqual(candles.map(({ time }) => time));
    expect(volumes.map(({ value }) => value)).toEqual(candles.map(({ volume }) => volume));
  });

  test("negative prices are prices like others, and a time without trades has no candle", () => {
    expect(minutesOf(["10:00:01", -50], ["10:00:02", 10], ["10:05:00", 51]).content.candles).toMatchObject([
      { time: at("10:00:00"), open: -50, high: 10, low: -50, close: 10 },
      { time: at("10:05:00") },
    ]);
  });

  test("a trade that comes late changes the last candle, so that times only rise", () => {
    expect(minutesOf(["10:05:00", 50], ["10:01:00", 40]).content.candles)
      .toMatchObject([{ time: at("10:05:00"), open: 50, low: 40, close: 40 }]);
  });

  test("the content is the same array until a trade comes, and candles that are over stay the same objects", () => {
    const builder = minutesOf(["10:00:00", 50], ["10:01:00", 51]);
    const before = builder.content;
    expect(builder.content).toBe(before);
    builder.add(trade("10:01:30", 52));
    expect(builder.content.candles[0]).toBe(before.candles[0]!);
    expect([before, builder.content].map(({ candles }) => candles[1]!.close)).toEqual([51, 52]);
    builder.addCandle({ time: at("10:01:45"), open: 52, high: 51.5, low: 51.25, close: 51.25, volume: 3 });
    expect(builder.content.candles[1]).toEqual(
      { time: at("10:01:00"), open: 51, high: 52, low: 51, close: 51.25, volume: 5 },
    );
  });

  test("candles of a minute become those of five minutes, and trades go on with them", () => {
    const minutes = new CandleBuilder(60);
    const five = new CandleBuilder(300);
    const direct = new CandleBuilder(300);
    const prices = [50, 55, 45, 52, 60, 40, 41];
    prices.forEach((price, minute) => {
      minutes.add(trade(`10:0${minute}:10`, price, 2));
      direct.add(trade(`10:0${minute}:10`, price, 2));
    });
    for (const candle of minutes.content.candles) five.addCandle(candle);
    for (const builder of [five, direct]) builder.add(trade("10:07:00", 70, 1));
    expect(five.content).toEqual(direct.content);
    expect(five.content.candles).toHaveLength(2);
  });

  test("the oldest candles are forgotten, so that memory is bounded", () => {
    const builder = new CandleBuilder(60);
    for (let minute = 0; minute < 6_000; minute++) {
      builder.add({ time: new Date(minute * 60_000).toISOString(), price: minute, quantity: 1 });
    }
    const { candles, volumes } = builder.content;
    expect(candles.length).toBeLessThanOrEqual(5_000);
    expect(volumes.length).toBe(candles.length);
    expect(candles.at(-1)!.close).toBe(5_999);
  });
});

test("a chart draws again the last point and those after it, all points if others have changed, or nothing", () => {
  const points = [1, 2, 3].map((time) => ({ time, value: time }));
  expect(firstChange(points, [...points.slice(0, 2), { time: 3, value: 9 }, { time: 4, value: 4 }])).toBe(2);
  expect(firstChange(points, points)).toBe(3);
  for (const after of [points.slice(1), points.slice(0, 2), points.map((point) => ({ ...point }))]) {
    expect(firstChange(points, after)).toBeNull();
  }
  expect(firstChange([], points)).toBeNull();
  expect(firstChange(points, [...points.slice(0, 2), { time: 4, value: 4 }])).toBeNull();
  expect(firstChange(points.slice(0, 1), [{ time: 1, value: 8 }, { time: 2, value: 2 }])).toBe(0);
});
