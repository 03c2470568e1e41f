import { describe, expect, test } from "bun:test";
import { DEFAULT_ENGINE_LIMITS } from "../../../../sim/server/limits/engine-limits.ts";
import { TokenBucket } from "../../../../sim/server/limits/token-bucket.ts";
import { UserRates } from "../../../../sim/server/limits/user-rates.ts";

describe("a rate with a burst", () => {
  test("lets two seconds' worth come at once, and no more", () => {
    const bucket = new TokenBucket(10, 0);
    const taken = Array.from({ length: 21 }, () => bucket.take(1, 0));
    expect(taken.filter((each) => each)).toHaveLength(20);
    expect(taken.at(-1)).toBe(false);
  });

  test("goes on at its rate: as late as it says, and not a millisecond before", () => {
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

  test("takes what is too large for it once, and then makes the next one wait for it", () => {
    const bucket = new TokenBucket(10, 0);
    expect([bucket.take(100, 0), bucket.take(1, 0), bucket.waitMs(0)]).toEqual([true, false, 8_100]);
    expect([bucket.take(1, 8_000), bucket.take(1, 8_100)]).toEqual([false, true]);
  });

  test("saves no more than its burst, however long it rests", () => {
    const bucket = new TokenBucket(10, 0);
    const taken = Array.from({ length: 21 }, () => bucket.take(1, 1_000_000));
    expect(taken.filter((each) => each)).toHaveLength(20);
  });

  test("earns nothing from a clock that goes back", () => {
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

  test("are each user's own, over all connections", () => {
    const { rates: all } = rates();
    expect(all.of("anna")).toBe(all.of("anna"));
    all.of("anna").takeMessage(20);
    expect(all.of("anna").takeMessage()).not.toBeNull();
    expect(all.of("ben").takeMessage()).toBeNull();
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

  test("refuse messages of a user whose requests were refused too often, until that is past", () => {
    const { rates: all, time } = rates();
    const anna = all.of("anna");
    for (let count = 0; count < 9; count++) anna.refused();
    expect(anna.takeMessage()).toBeNull();
    anna.refused();
    expect(anna.takeMessage()).toMatchObject({
      isFlood: false,
      retryAfterMs: 200,
      message: expect.stringContaining("5 refused requests"),
    });
    time.now = 200;
    expect(anna.takeMessage()).toBeNull();
  });
});
