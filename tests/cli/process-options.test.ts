import { expect, setSystemTime, test } from "bun:test";
import { engineSettings, simulatorOptions } from "../../cli/market/process-options.ts";
import { atEnd } from "../support/at-end.ts";

const DAY_MS = 86_400_000;

test("a simulator, and what an engine compares its machine's clock with, don't follow a jump of that clock", () => {
  atEnd(() => void setSystemTime());
  const { now, steadyNow } = engineSettings("127.0.0.1");
  const clocks = [simulatorOptions().now, steadyNow];
  const before = clocks.map((clock) => clock());
  const wallBefore = now();
  setSystemTime(new Date(wallBefore + 30 * DAY_MS));
  expect(now() - wallBefore).toBeGreaterThan(29 * DAY_MS);
  expect(clocks.every((clock, at) => Math.abs(clock() - before[at]!) < DAY_MS)).toBe(true);
});

test("an engine's secret for tests is that of its variable, and none if that is empty", () => {
  const given = { STRESS_TEST_SECRET: "secret of tests", MKT_BEARER_TOKEN: "token" };
  const before = Object.keys(given).map((name) => [name, process.env[name]] as const);
  atEnd(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  Object.assign(process.env, given);
  expect(engineSettings("127.0.0.1")).toMatchObject({ secret: "secret of tests", token: "token" });
  process.env["STRESS_TEST_SECRET"] = "";
  expect(engineSettings("127.0.0.1").secret).toBeNull();
});
