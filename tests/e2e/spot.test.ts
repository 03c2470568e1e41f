// `mkt spot` of the compiled executable.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { wellFormed } from "../common/plot/support.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { MKT } from "../support/executable.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { runOnTerminal } from "../support/terminal.ts";

const HOURS = 26_280;
const folder = temporaryDirectory();

async function csvOf(seed: number, hours: number): Promise<string> {
  const args = ["spot", "--seed", String(seed), "--hours", String(hours), "--format", "csv"];
  const { stdout, ...rest } = await runMktHere(args);
  expect(rest).toEqual({ exitCode: 0, stderr: "" });
  return stdout;
}

describe("mkt spot", () => {
  test("prints CSV with a line for each hour, in order, with whole cents, known regimes and congestion", async () => {
    const [head, ...lines] = (await csvOf(3, HOURS)).trimEnd().split("\n");
    expect(head).toBe("time,node_a,node_b,regime_a,regime_b,congested");
    expect(lines).toHaveLength(HOURS);
    const start = Date.parse(lines[0]?.split(",")[0] ?? "");
    const seen = new Set<string>();
    lines.forEach((line, hour) => {
      const [time = "", first = "", second = "", ...rest] = line.split(",");
      if (Date.parse(time) !== start + hour * 3_600_000) expect(line).toBe(`hour ${hour}`);
      if (!/^-?\d+$/.test(first) || !/^-?\d+$/.test(second)) expect(line).toBe("whole cents");
      if (rest[2] !== String(Number(Math.abs(Number(first) - Number(second)) > 100))) expect(line).toBe("congested");
      for (const word of rest) seen.add(word);
    });
    expect([...seen].sort()).toEqual(["0", "1", "base", "drop", "spike"]);
  });

  test("prints the same bytes for the same seed, fewer for fewer hours, and others for another seed", async () => {
    const first = await csvOf(7, HOURS);
    expect(await csvOf(7, HOURS)).toBe(first);
    expect(await csvOf(8, HOURS)).not.toBe(first);
    expect(first).toStartWith(await csvOf(7, 4001));
  });

  test("prints a day as CSV if nothing is given, and as a table on a terminal", async () => {
    expect(await runMktHere(["spot"])).toMatchObject({ exitCode: 0, stdout: await csvOf(1, 24) });
    const onTerminal = await runOnTerminal([MKT, "spot"]);
    expect(onTerminal.shown).toBe((await runMktHere(["spot", "--format", "table"])).stdout);
  });

  test("prints a table to read", async () => {
    const { exitCode, stdout } = await runMktHere(["spot", "--seed", "1", "--hours", "48", "--format", "table"]);
    expect(exitCode).toBe(0);
    const [head, ...lines] = stdout.trimEnd().split("\n");
    expect(head).toContain("node A $/MWh");
    expect(lines).toHaveLength(48);
    for (const line of lines) {
      expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:00 +-?\d+\.\d\d +(base|spike|drop) +-?\d+\.\d\d +(base|spike|drop)/);
    }
  });

  test("draws the prices in a new SVG file, the same for the same seed, and prints only its path", async () => {
    const draw = (name: string, ...args: string[]) => runMktHere(["spot", "--plot", join(folder, name), ...args]);
    for (const name of ["one.svg", "two.svg"]) {
      const path = join(folder, name);
      expect(await draw(name, "--hours", "8760")).toEqual({ exitCode: 0, stdout: "", stderr: `${path}\n` });
    }
    const [one, two] = await Promise.all(["one.svg", "two.svg"].map((name) => Bun.file(join(folder, name)).text()));
    wellFormed(one ?? "");
    expect(two).toBe(one ?? "");
    expect(one).not.toMatch(/NaN|Infinity|undefined|http(?!:\/\/www\.w3\.org\/2000\/svg)/);
    expect(one).toContain("spot --seed 1 --hours 8760");
    expect((await draw("three.svg", "--format", "csv")).stdout).toBe(await csvOf(1, 24));
  });

  test("replaces no file, and names a path that can't be written in one line", async () => {
    const taken = join(folder, "taken.svg");
    await Bun.write(taken, "mine");
    expect(await runMktHere(["spot", "--plot", taken])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `mkt: --plot: ${taken} exists already: choose another name\n`,
    });
    expect(await Bun.file(taken).text()).toBe("mine");
    const missing = join(folder, "missing/out.svg");
    expect((await runMktHere(["spot", "--plot", missing])).stderr).toBe(
      `mkt: --plot: ${missing} can't be written: no such file or folder\n`,
    );
  });
});
