import { describe, expect, test } from "bun:test";
import type { Health } from "../../../core/backend/state-client.ts";
import {
  clockFinding,
  type ClockSample,
  examineClock,
  examineIdentity,
  examineRefusal,
  examineVersions,
} from "../../../cli/doctor/engine-findings.ts";
import { ToolError } from "../../../core/error.ts";

const START = Date.UTC(2026, 2, 2, 12);
const HEALTH: Health = {
  engineId: "e-1",
  time: null,
  marketTime: null,
  clock: null,
  clockJumpSeconds: 0,
  version: null,
  refusal: null,
};

/** An answer after `delayMs` by an engine whose clock is `aheadMs` ahead, as seen in the middle of the delay. */
const sample = (delayMs: number, aheadMs: number): ClockSample => ({
  askedAt: START,
  answeredAt: START + delayMs,
  engineTime: START + delayMs / 2 + aheadMs,
});

describe("doctor's finding about the clocks", () => {
  test("is ok if they agree, with the uncertainty of half the delay", () => {
    expect(clockFinding([sample(20, 4)])).toEqual({ state: "ok", detail: "0.004 s (± 0.011 s) from the engine's" });
  });

  test("counts the quickest answer", () => {
    expect(clockFinding([sample(3000, 1200), sample(10, 2), sample(500, 300)]).detail).toStartWith(
      "0.002 s (± 0.006 s)",
    );
  });

  test.each([[2500, "ahead of"], [-2500, "behind"]])("warns of %d ms, and says what to do", (aheadMs, side) => {
    const { state, detail } = clockFinding([sample(10, aheadMs)]);
    expect(state).toBe("warning");
    expect(detail).toContain(`is 2.500 s (± 0.006 s) ${side} this host's`);
    expect(detail).toContain("run a time service on both hosts");
  });

  test("does not warn of a difference that the delay may explain", () => {
    expect(clockFinding([sample(4000, 1900)]).state).toBe("ok");
    expect(clockFinding([sample(1000, 1900)]).state).toBe("warning");
  });

  test("asks over HTTP several times", async () => {
    let now = START;
    const health = () => Promise.resolve({ ...HEALTH, time: new Date(now += 5).toISOString() });
    const finding = await examineClock({ health, fromWebSocket: () => sample(1, 9000), now: () => now });
    expect(finding).toMatchObject({ subject: "clock", state: "ok" });
    expect(now).toBe(START + 25);
  });

  test("uses the connection's clock if the engine tells no time over HTTP", async () => {
    const stateWith = async (given: ClockSample | null, health: (() => Promise<Health>) | null) =>
      (await examineClock({ health, fromWebSocket: () => given, now: () => START })).state;
    const timeless = () => Promise.resolve(HEALTH);
    expect(await stateWith(sample(10, 3000), timeless)).toBe("warning");
    expect(await stateWith(null, timeless)).toBe("off");
    expect(await stateWith(sample(10, 0), null)).toBe("ok");
  });

  test.each([
    [90, "ahead by 90 seconds"],
    [-7_200, "back by 2 hours"],
  ])("fails if the engine's own clock has jumped by %d s, and asks no further", async (clockJumpSeconds, jump) => {
    let asked = 0;
    const health = () =>
      Promise.resolve({ ...HEALTH, clockJumpSeconds, time: new Date(START).toISOString(), asked: ++asked });
    const { state, detail } = await examineClock({ health, fromWebSocket: () => sample(1, 0), now: () => START });
    expect([state, detail.includes(`has jumped ${jump}, so trading has stopped`), asked]).toEqual(["failed", true, 1]);
    expect(detail).toContain("mkt accept-clock");
  });

  test("counts what it has heard before the engine is away, five answers at most", async () => {
    let asked = 0;
    const health = () =>
      ++asked > 2
        ? Promise.reject(new ToolError("backend_unavailable", "Away.", "Wait."))
        : Promise.resolve({ ...HEALTH, time: new Date(START + 3_000).toISOString() });
    const finding = await examineClock({ health, fromWebSocket: () => sample(1, 0), now: () => START });
    expect([finding.state, asked]).toEqual(["warning", 3]);
    asked = -100;
    await examineClock({ health, fromWebSocket: () => null, now: () => START });
    expect(asked).toBe(-95);
  });

  test("warns only of more than a second beyond the uncertainty", () => {
    // Half of the delay of 18 ms, and a millisecond.
    expect([1_010, 1_011, -1_010, -1_011].map((ahead) => clockFinding([sample(18, ahead)]).state))
      .toEqual(["ok", "warning", "ok", "warning"]);
  });

  test("is off if the engine does not answer, and hides no other fault", async () => {
    const failing = (error: Error) =>
      examineClock({ health: () => Promise.reject(error), fromWebSocket: () => null, now: () => START });
    expect(await failing(new ToolError("backend_unavailable", "Away.", "Wait."))).toMatchObject({ state: "off" });
    await expect(failing(new RangeError("broken"))).rejects.toThrow("broken");
  });
});

test.each([
  ["ok if both are the same", { version: "1.2.3" }, "ok", /^mkt 1\.2\.3 on both sides$/],
  [
    "a warning if they differ, which says which goes first",
    { version: "1.3.0" },
    "warning",
    /this is mkt 1\.2\.3, and the engine is mkt 1\.3\.0.*the engine's first/,
  ],
  ["off for an engine that is not mkt's", { version: null }, "off", /tells no version/],
  ["off if the engine does not answer", null, "off", /does not answer/],
])("doctor's finding about the versions is %s", (_name, health, state, detail) => {
  expect(examineVersions("1.2.3", health)).toMatchObject({ state, detail: expect.stringMatching(detail) });
});

describe("doctor's finding about changes", () => {
  test("fails if the engine rejects all of them, and says why", () => {
    const message = "The engine's disk is full.";
    expect([HEALTH, { ...HEALTH, refusal: { code: "storage_full", message } }, null].map(examineRefusal)).toEqual([
      { subject: "changes", state: "ok", detail: "the engine accepts them" },
      {
        subject: "changes",
        state: "failed",
        detail: "the engine rejects all of them (storage_full): The engine's disk is full.",
      },
      { subject: "changes", state: "off", detail: "not known: the engine does not answer" },
    ]);
  });
});

describe("doctor's finding about the engine", () => {
  test("fails if the engine has another market than MKT_ENGINE_ID says", () => {
    const found = (expected: string | null) => examineIdentity(expected, HEALTH);
    expect(found("e-1")).toEqual({ subject: "engine", state: "ok", detail: "e-1, as MKT_ENGINE_ID says" });
    expect(found("e-2")).toMatchObject({
      state: "failed",
      detail: expect.stringContaining(
        "it is e-1, and MKT_ENGINE_ID says e-2: the engine at this address has another market",
      ),
    });
    expect(found(null)).toMatchObject({
      state: "off",
      detail: expect.stringContaining("e-1; MKT_ENGINE_ID is not set"),
    });
    expect(examineIdentity("e-1", null)).toMatchObject({ state: "off" });
  });
});
