import { expect, test } from "bun:test";
import { ExportFaults } from "../../../common/telemetry/otlp/export-faults.ts";
import type { Logger } from "../../../common/logger.ts";

test("a receiver that stays away is logged at once, then once in ten minutes with a count; a long fault is cut", () => {
  const lines: { readonly fault: string }[] = [];
  const log = { warn: (_text: string, facts: { readonly fault: string }) => lines.push(facts) } as unknown as Logger;
  let now = 0;
  const faults = new ExportFaults(log, () => now);
  for (; now < 25 * 60_000; now += 60_000) faults.report("ECONNREFUSED\n");
  expect(lines).toEqual([0, 9, 9].map((left) => ({ fault: "ECONNREFUSED ", left })));
  new ExportFaults(log).report("x".repeat(100_000));
  expect(lines.at(-1)?.fault.length).toBe(300);
});
