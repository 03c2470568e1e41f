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
