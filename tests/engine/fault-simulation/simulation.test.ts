import { describe, expect, test } from "bun:test";
import { SEED } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { simulate } from "./simulation.ts";

const SEEDS = size(3, 5000);
const CLOCK_SEEDS = size(1, 500);
const SPEEDS = [1, 2, 7];
const REPLAY = "bun tests/engine/fault-simulation/replay-seed.ts";

describe("a whole engine with its clients, on a seeded clock, network and disk", () => {
  test(`keeps what it confirmed, for each of ${SEEDS} seeds`, async () => {
    const totals: Record<string, number> = {};
    const failures: string[] = [];
    for (let seed = SEED; seed < SEED + SEEDS; seed++) {
      const { violations, counts } = await simulate(seed);
      if (violations.length > 0) failures.push(`${REPLAY} ${seed}\n  ${violations.join("\n  ")}`);
      for (const [what, count] of Object.entries(counts)) totals[what] = (totals[what] ?? 0) + count;
    }
    expect(failures.slice(0, 3)).toEqual([]);
    // Every kind of accident must have occurred, or the run proves nothing.
    for (const what of ["kills", "cuts", "gaps", "refusals", "fills"]) expect(totals[what]).toBeGreaterThan(SEEDS / 10);
  });

  test(
    `keeps what it confirmed in a market that runs apart from real time, for each of ${CLOCK_SEEDS} seeds`,
    async () => {
      const failures: string[] = [];
      for (let seed = SEED; seed < SEED + CLOCK_SEEDS; seed++) {
        const clock = { mode: "fast", speed: SPEEDS[seed % SPEEDS.length] ?? 1 } as const;
        const { violations } = await simulate(seed, { clock });
        if (violations.length > 0) failures.push(`seed ${seed}, speed ${clock.speed}\n  ${violations.join("\n  ")}`);
      }
      expect(failures.slice(0, 3)).toEqual([]);
    },
  );

  test("replays a seed byte for byte", async () => {
    const hashes = new Set<string>();
    for (let seed = SEED; seed < SEED + size(1, 5); seed++) {
      const [one, other] = [await simulate(seed), await simulate(seed)];
      expect(other).toEqual(one);
      expect(hashes).not.toContain(one.hash);
      hashes.add(one.hash);
    }
  });
});
