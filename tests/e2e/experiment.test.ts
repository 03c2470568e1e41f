// `mkt simulate --experiment`: what a command line means can be printed, saved and run again; faults of file and flags
// together.

import { describe, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { runMktHere } from "../support/command-line-here.ts";
import { runMkt } from "../support/executable.ts";
import { size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const directory = temporaryDirectory();
const path = (name: string) => join(directory, name);
const EXAMPLE = resolve(import.meta.dir, "../../docs/examples/experiment.json");

const BAND_MAKER = resolve(import.meta.dir, "../../docs/examples/band-maker.ts");

const HOURS = String(size(0.05, 0.5));
const STEPS = String(size(200, 5_000));

describe("a printed experiment", () => {
  test.each([
    ["of flags", ["--preset", "thin", "--hours", HOURS, "--start", "2026-07-01T00:00:00-05:00", "--seed", "5"]],
    ["of lists", ["--personas", "zic:5,aa:2", "--events", "heat_wave@0h:size=2,node=WEST", "--steps", STEPS]],
    ["of a strategy from a file", ["--strategy", BAND_MAKER, "--personas", "band-maker:2,zic:4", "--hours", HOURS]],
    ["of the documented example", ["--experiment", EXAMPLE, "--hours", HOURS]],
  ])("%s gives the same bytes", async (_, args) => {
    // A strategy that was added stays in its process.
    const run = args.includes("--strategy") ? runMkt : runMktHere;
    const simulate = (...args: string[]) => run(["simulate", ...args]);
    const printed = await simulate(...args, "--print-experiment");
    expect({ exitCode: printed.exitCode, stderr: printed.stderr }).toEqual({ exitCode: 0, stderr: "" });
    await Bun.write(path("printed.json"), printed.stdout);
    const first = await simulate(...args, "--format", "json");
    expect(first.exitCode).toBe(0);
    expect(await simulate("--experiment", path("printed.json"), "--format", "json")).toEqual(first);
    expect(JSON.parse(first.stdout)["experiment"]).toBe(JSON.parse(printed.stdout)["name"]);
  });
});
