import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Latencies } from "../../load/tally.ts";
import { LightReader } from "../../load/light-reader.ts";
import { randomFrom } from "../../load/random.ts";
import { Schedule } from "../../load/schedule.ts";

test("a schedule has every request due once, at equal distances, whatever the rate", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 20 }), (rate, seconds) => {
    const schedule = new Schedule(rate, seconds);
    const { total } = schedule;
    expect(total).toBe(rate * seconds);
    expect([-1, 0, seconds * 1000].map((ms) => schedule.dueBy(ms))).toEqual([0, 1, total]);
    const number = Math.floor(total / 2);
    expect(schedule.dueMs(number)).toBeCloseTo(number * 1000 / rate, 6);
    expect(schedule.dueBy(schedule.dueMs(number) + 1e-6)).toBeGreaterThanOrEqual(Math.min(number + 1, total));
  }));
});

describe("latencies", () => {
  test("have percentiles within a thousandth of the sorted values", () => {
    const random = randomFrom(1);
    const latencies = new Latencies();
    const values = Array.from({ length: 20_000 }, () => Math.exp(random() * 12) / 1000).toSorted((a, b) => a - b);
    for (const value of values) latencies.record(value);
    const figures = latencies.figures();
    for (const [name, part] of [["p50", 0.5], ["p90", 0.9], ["p99", 0.99], ["p999", 0.999]] as const) {
      const exact = values[Math.ceil(values.length * part) - 1] ?? NaN;
      expect(Math.abs((figures?.[name] ?? NaN) - exact)).toBeLessThan(exact * 0.002 + 0.001);
    }
    expect(figures?.max).toBeCloseTo(values.at(-1) ?? NaN, 2);
    expect(figures?.count).toBe(values.length);
  });

  test("are null before the first, and take nothing and an age for the least and the greatest", () => {
    const latencies = new Latencies();
    expect(latencies.figures()).toBeNull();
    latencies.record(0);
    latencies.record(1e12);
    expect(latencies.figures()).toMatchObject({ count: 2, p50: 0.001, max: 3_600_000 });
  });
});

describe("the reader of most connections", () => {
  const response = '{"kind":"response","requestId":"1","operationId":"1","status":"ok","result":{}}';
  const event = '{"kind":"event","sequence":1,"type":"change.x","time":"2026-01-01T00:00:00.000Z","data":{}}';
  const read: string[] = [];
  const whole = {
    read: (frame: unknown) => {
      read.push(String(frame));
      return [JSON.parse(String(frame))].flat();
    },
  };

  test("parses no frame that only shows the market", () => {
    const reader = new LightReader(whole, false);
    expect(reader.read(event)).toEqual([]);
    expect(read).toEqual([]);
    expect(reader.read(`[${event},${response}]`)).toEqual([JSON.parse(response)]);
  });

  test("parses responses of an engine that writes its JSON with spaces", () => {
    expect(new LightReader(whole, false).read(response.replaceAll(":", ": "))).toHaveLength(1);
  });

  test("reads everything until the market is known", () => {
    const reader = new LightReader(whole, true);
    expect(reader.read(event)).toHaveLength(1);
    reader.readsAll = false;
    expect(reader.read(event)).toEqual([]);
  });
});

describe("random numbers", () => {
  test("are the same for the same seed in every version, and others for another seed", () => {
    const firstOf = (seed: number) => {
      const random = randomFrom(seed);
      return [random(), random(), random()].map((each) => Number(each.toFixed(6)));
    };
    expect([firstOf(0), firstOf(1), firstOf(2 ** 32)]).toEqual([
      [0.573398, 0.237654, 0.105781],
      [0.588394, 0.073189, 0.590311],
      firstOf(0),
    ]);
  });

  test("are as often in each tenth from 0 to 1", () => {
    const random = randomFrom(7);
    const counts = Array<number>(10).fill(0);
    for (let count = 0; count < 20_000; count++) counts[Math.floor(random() * 10)]! += 1;
    for (const each of counts) expect(each).toBeWithin(1_800, 2_200);
  });
});
