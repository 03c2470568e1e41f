import { expect, test } from "bun:test";
import { ExportFaults } from "../../../common/telemetry/otlp/export-faults.ts";
import type { Logger } from "../../../common/logger.ts";

test("a receiver that stays away is logged at once, then once in ten minutes with a count", () => {
  const lines: unknown[] = [];
  const log = { warn: (_text: string, facts: unknown) => lines.push(facts) } as unknown as Logger;
  let now = 0;
  const faults = new ExportFaults(log, () => now);
  for (; now < 25 * 60_000; now += 60_000) faults.report("ECONNREFUSED\n");
  expect(lines).toEqual([
    { fault: "ECONNREFUSED ", left: 0 },
    { fault: "ECONNREFUSED ", left: 9 },
    { fault: "ECONNREFUSED ", left: 9 },
  ]);
});

test("a long fault is cut", () => {
  const lines: { fault: string }[] = [];
  const log = { warn: (_text: string, facts: { fault: string }) => lines.push(facts) } as unknown as Logger;
  new ExportFaults(log).report("x".repeat(100_000));
  expect(lines[0]?.fault.length).toBe(300);
});
