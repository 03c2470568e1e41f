import { describe, expect, test } from "bun:test";
import { DEFAULT_ENGINE_LIMITS } from "../../../../common/http/guards/engine-limits.ts";
import { TokenBucket, UserRates } from "../../../../common/http/guards/user-rates.ts";

describe("a token bucket", () => {
  test.each([0, 1_000_000])("admits a burst of two seconds' worth, and no more, after %d ms", (now) => {
    const bucket = new TokenBucket(10, 0);
    const taken = Array.from({ length: 21 }, () => bucket.take(1, now));
    expect(taken).toEqual([...Array(20).fill(true), false]);
  });

  test("refills at its rate, and `waitMs` is exact to the millisecond", () => {
    const bucket = new TokenBucket(10, 0);
    bucket.take(20, 0);
    expect(bucket.waitMs(0)).toBe(100);
    const early = new TokenBucket(10, 0);
    early.take(21, 0);
    const wait = early.waitMs(0);
    expect(wait).toBe(200);
    expect(early.take(1, 100)).toBe(false);
    expect(early.take(1, wait)).toBe(true);
  });

  test("admits an amount above its size once, and makes the next one wait until the debt is paid", () => {
    const bucket = new TokenBucket(10, 0);
    expect([bucket.take(100, 0), bucket.take(1, 0), bucket.waitMs(0)]).toEqual([true, false, 8_100]);
    expect([bucket.take(1, 8_000), bucket.take(1, 8_100)]).toEqual([false, true]);
  });

  test("does not refill while its clock goes back", () => {
    const bucket = new TokenBucket(10, 1_000);
    bucket.take(20, 1_000);
    expect([bucket.take(1, 0), bucket.take(1, 1_000), bucket.take(1, 1_100)]).toEqual([false, false, true]);
  });
});

describe("the rates of a user", () => {
  const limits = { ...DEFAULT_ENGINE_LIMITS, requestsPerSecond: 10, bytesPerSecond: 1_000, refusalsPerSecond: 5 };

  function rates() {
    const time = { now: 0 };
    return { rates: new UserRates(limits, () => time.now), time };
  }

  test("are shared by all connections of one user, and by nobody else", () => {
    const { rates: all } = rates();
    expect(all.of("anna")).toBe(all.of("anna"));
    all.of("anna").takeMessage(20);
    expect(all.of("anna").takeMessage()).not.toBeNull();
    expect(all.of("ben").takeMessage()).toBeNull();
  });

  test("tolerate as many bytes above the rate as messages, each apart from the other", () => {
    const anna = rates().rates.of("anna");
    expect(anna.takeBytes(2_000)).toBeNull();
    const bytes = [900, 900, 900, 900].map((size) => anna.takeBytes(size)?.isFlood);
    expect([bytes.slice(0, 2), bytes.at(-1)]).toEqual([[false, false], true]);
    for (let count = 0; count < 20; count++) expect(anna.takeMessage()).toBeNull();
    expect(anna.takeMessage()?.isFlood).toBe(false);
  });

  test("refuse messages above the burst, and end the connection after a second burst of them", () => {
    const anna = rates().rates.of("anna");
    for (let count = 0; count < 20; count++) expect(anna.takeMessage()).toBeNull();
    const refusals = Array.from({ length: 21 }, () => anna.takeMessage());
    expect(refusals[0]?.message).toBe("More than 10 messages a second of this user: try again in 100 ms.");
    expect(refusals.map((refusal) => refusal?.isFlood)).toEqual([...Array(20).fill(false), true]);
  });

  test("refuse bytes above the burst, and end the connection after a second burst of them", () => {
    const anna = rates().rates.of("anna");
    expect([anna.takeBytes(1_999), anna.takeBytes(1)]).toEqual([null, null]);
    expect(anna.takeBytes(2_000)).toMatchObject({ isFlood: false, message: expect.stringContaining("1000 bytes") });
    expect(anna.takeBytes(1)).toMatchObject({ isFlood: true });
  });

  test("count a message of several as so many, also above the rate and after too many rejected requests", () => {
    for (const rejections of [0, 10]) {
      const anna = rates().rates.of("anna");
      for (let count = 0; count < rejections; count++) anna.rejected();
      const taken = [anna.takeMessage(10), anna.takeMessage(10), anna.takeMessage(10), anna.takeMessage(10)];
      const flood = [...taken, anna.takeMessage()].map((excess) => excess?.isFlood);
      expect(flood).toEqual(
        rejections === 0 ? [undefined, undefined, false, false, true] : [false, false, true, true, true],
      );
    }
  });

  test("reject the messages of a user with too many rejected requests for a while", () => {
    const { rates: all, time } = rates();
    const anna = all.of("anna");
    for (let count = 0; count < 9; count++) anna.rejected();
    expect(anna.takeMessage()).toBeNull();
    anna.rejected();
    const message = expect.stringContaining("5 rejected requests");
    expect(anna.takeMessage()).toMatchObject({ isFlood: false, retryAfterMs: 200, message });
    time.now = 200;
    expect(anna.takeMessage()).toBeNull();
  });
});
