import { expect, test } from "bun:test";
import { buildWeb } from "../../web/build.ts";

/** Bytes. In the executable it is a third more, because they are text there. */
const MAX_WEIGHT = 450_000;

test("all programs for browsers together weigh at most 450 kB, compressed", async () => {
  const files = Object.values(await buildWeb());
  expect(files.length).toBeGreaterThan(0);
  const weight = files.reduce((sum, text) => sum + Bun.gzipSync(text, { level: 9 }).length, 0);
  expect(weight).toBeLessThan(MAX_WEIGHT);
});
