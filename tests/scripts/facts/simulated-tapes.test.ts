import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onSimulatedTapes, recordedRun } from "../../../scripts/facts/simulated-tapes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { LONG } from "../../support/sizes.ts";

test.skipIf(!LONG)("reads the tapes of runs in the order of the requests, and keeps them if asked to", async () => {
  const directory = temporaryDirectory();
  const requests = [7, 8].map((seed) => ({ preset: "thin", seed, hours: 1 }));
  const runs = await onSimulatedTapes(requests, (run) => run, { jobs: 2, keep: directory });
  expect(runs.map(({ preset, seed }) => [preset, seed])).toEqual([["thin", 7], ["thin", 8]]);
  expect((await readdir(directory)).sort()).toEqual(["thin-7", "thin-8"]);
  const { tape } = recordedRun(join(directory, "thin-8"));
  expect(tape.messageTimes).toEqual(runs[1]!.tape.messageTimes);
  expect(tape.minutes.open.length).toBe(60);
  const base = [...tape.contracts.values()].find(({ kind }) => kind === "base")!;
  expect(tape.forecasts.get(base.id)?.get("best")?.prices.length).toBe(13);
  expect(tape.quotes.get(base.id)!.times.length).toBeGreaterThan(0);
  expect(tape.spot.size).toBe(2);
});

test("a run that fails, and a directory without a complete tape, give an error that says why", async () => {
  await expect(onSimulatedTapes([{ preset: "wild", seed: 1, hours: 1 }], () => 0)).rejects.toThrow(
    "mkt simulate, wild, seed 1: exit status 2",
  );
  expect(() => recordedRun(tmpdir())).toThrow("no run.json");
});
