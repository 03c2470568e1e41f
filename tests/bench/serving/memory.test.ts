import { expect, test } from "bun:test";
import { Fleet } from "../../../bench/serving/fleet.ts";
import { measureMemory } from "../../../bench/serving/memory.ts";
import { atEnd } from "../../support/at-end.ts";
import { startProcess } from "../../support/processes.ts";
import { LONG, size } from "../../support/sizes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const CALLS = { before: size(1_500, 100_000), calls: size(1_500, 1_000_000) };
const MAX_GROWTH = 1.05;

test.skipIf(!LONG)("calls over HTTP leave no memory behind", async () => {
  const fleet = await Fleet.start(startProcess, temporaryDirectory(), ["mkt"]);
  atEnd(() => fleet.end());
  const { memory: [earlier, later] } = await measureMemory(fleet, CALLS);
  expect(later.objects / earlier.objects).toBeLessThanOrEqual(MAX_GROWTH);
  expect(later.heapBytes / earlier.heapBytes).toBeLessThanOrEqual(MAX_GROWTH);
});
