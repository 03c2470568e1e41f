import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { STANDALONE_BENCHES, SUITES, withFigures } from "../../bench/run.ts";
import type { Suite } from "../../bench/suite.ts";
import { duration, tablesOf, threeDigits } from "../../bench/table.ts";
import { run } from "../support/processes.ts";

const ROOT = resolve(import.meta.dir, "../..");

const prepare = () => ({ run: () => 0, check: () => {} });
const suite: Suite = {
  name: "lists",
  description: "Lists, by number of items",
  sizes: [1_000, 10_000],
  cases: [{ name: "first item", peerName: "scan", mkt: prepare, peer: prepare }],
};

describe("figures", () => {
  test("make a row for each case, with one figure and one ratio for each size", () => {
    const cases = suite.cases.map((each) => ({ case: each, mkt: [100, 200], peer: [1_000, 20_000] }));
    expect(tablesOf({ processor: "a processor", suites: [{ suite, cases }] })).toEndWith(`### lists

Lists, by number of items: 1,000 · 10,000.

| case       | mkt             | peer |              | peer / mkt |
| ---------- | --------------- | ---- | ------------ | ---------- |
| first item | 100 ns · 200 ns | scan | 1 µs · 20 µs | 10 · 100   |`);
  });

  test.each([[0.0123, "0.012"], [0.994, "0.99"], [12.34, "12.3"], [1234, "1230"]])("round %d to %s", (value, text) => {
    expect(threeDigits(value)).toBe(text);
  });

  test.each([[999, "999 ns"], [1_500, "1.5 µs"], [136_400_000, "136 ms"]])("show %d ns as %s", (value, text) => {
    expect(duration(value)).toBe(text);
  });
});

describe("bench/README.md", () => {
  test("has a figure for every case that there is", async () => {
    const readme = await Bun.file(resolve(ROOT, "bench/README.md")).text();
    for (const { name, cases } of SUITES) {
      expect(readme).toContain(`### ${name}\n`);
      for (const each of cases) expect(readme).toContain(`| ${each.name} `);
    }
    for (const { name } of STANDALONE_BENCHES) expect(readme).toContain(`### ${name}\n`);
  });

  test("keeps the text around the figures", () => {
    const readme = "before\n<!-- figures: written by `bun run bench --write` -->\nold\n<!-- /figures -->\nafter\n";
    const written = withFigures(readme, "new");
    expect(written).toMatch(/^before\n[^]*\nnew\n[^]*\nafter\n$/);
    expect(written).not.toContain("old");
    expect(() => withFigures("no markers", "new")).toThrow("no section");
  });
});

test("a name that is no bench ends with status 2 and the names that there are", async () => {
  const { exitCode, stderr } = await run([process.execPath, "bench/run.ts", "nonsense"], { cwd: ROOT });
  expect(exitCode).toBe(2);
  for (const { name } of [...SUITES, ...STANDALONE_BENCHES]) expect(stderr).toContain(name);
});
