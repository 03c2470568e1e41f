// The credit bench checks its own result on both sides, before and after the measurement.

import { describe, test } from "bun:test";
import credit from "../../bench/credit.ts";

describe("bench credit", () => {
  test.each(credit.cases)("$name: mkt and peer are right, before they are measured and after", async (each) => {
    for (const prepare of [each.mkt, each.peer]) {
      const { run, check } = await prepare(8);
      await check();
      await run();
      await check();
    }
  });
});
