// `mkt simulate`: a seed determines every byte of the output, from source and compiled; the output, and refused options.

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runMktHere } from "../support/command-line-here.ts";
import { BARE_ENVIRONMENT, MKT, runMkt } from "../support/executable.ts";
import { LONG, size } from "../support/sizes.ts";
import { run } from "../support/processes.ts";
import { smallMarket } from "../engine/support/market.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const STEPS = String(size(200, 100_000));
const TAPE_HOURS = size(0.02, 1);
/** For runs whose output is only inspected. */
const FEW_STEPS = String(size(300, 100_000));
const directory = temporaryDirectory();
const path = (name: string) => join(directory, name);

/** The markets of the small market definition, with changes. */
function changed(changes: object): object[] {
  return smallMarket().markets.map((market) => ({ ...market, ...changes }));
}

const small = smallMarket();
const products = small.products.filter(({ node }) => node === "NORTH");
const contracts = small.contracts.filter(({ productId }) => products.some(({ id }) => id === productId));
const MARKETS = {
  small,
  "one-node": { ...small, markets: changed({ nodes: ["NORTH"] }), products, contracts },
  nobody: { ...small, users: small.users.filter(({ entityId }) => entityId === null) },
};
for (const [name, market] of Object.entries(MARKETS)) await Bun.write(path(`${name}.json`), JSON.stringify(market));

const simulate = (...args: string[]) => runMktHere(["simulate", ...args]);
const simulateCompiled = (...args: string[]) => runMkt(["simulate", ...args]);

interface Report {
  readonly seed: number;
  readonly steps: number;
  readonly startedAt: string;
  readonly totals: Readonly<Record<string, number | null>>;
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly reasons: Readonly<Record<string, string>>;
  readonly bookSamples: { readonly count: number; readonly until: string | null };
  readonly marks: Readonly<Record<string, number>>;
  readonly books: readonly { readonly contractId: string }[];
  readonly spot: readonly { readonly node: string }[];
  readonly personas: readonly { readonly cash: number; readonly profitAndLoss: number }[];
}

async function reportOf(...args: string[]): Promise<Report> {
  const { exitCode, stdout, stderr } = await simulate(...args, "--format", "json");
  expect({ exitCode, stderr, lines: stdout.split("\n").length }).toEqual({ exitCode: 0, stderr: "", lines: 2 });
  return JSON.parse(stdout);
}

test("one seed prints the same bytes twice; another seed prints others", async () => {
  const first = await simulate("--seed", "7", "--steps", STEPS);
  expect({ exitCode: first.exitCode, stderr: first.stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(first.stdout).toMatch(new RegExp(`^steps +${STEPS}$`, "m"));
  expect(await simulate("--seed", "7", "--steps", STEPS)).toEqual(first);
  if (LONG) expect(await simulateCompiled("--seed", "7", "--steps", STEPS)).toEqual(first);
  const other = await simulate("--seed", "8", "--steps", STEPS);
  expect(other.exitCode).toBe(0);
  expect(other.stdout.replaceAll("seed                  8", "seed                  7")).not.toBe(first.stdout);
});

describe("what it prints", () => {
  test("prints a traded market and its metrics as one JSON object", async () => {
    const report = await reportOf("--seed", "3", "--steps", FEW_STEPS, "--preset", "volatile");
    const startedAt = "2026-03-02T06:00:00.000Z";
    expect(report).toMatchObject({ experiment: "volatile", seed: 3, steps: Number(FEW_STEPS), startedAt });
    expect(report.totals["trades"]).toBeGreaterThan(0);
    expect(report.totals["rejected"]).toBe(0);
    expect(report.metrics["smithsAlpha"]).toBeGreaterThan(0);
    expect(report.personas).toHaveLength(report.totals["personas"] ?? 0);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    expect(sum(report.personas.map(({ cash }) => cash))).toBeCloseTo(0, 1);
    expect(sum(report.personas.map(({ profitAndLoss }) => profitAndLoss))).toBeCloseTo(0, 1);
  });

  test("says why a total is null", async () => {
    const makers = ["--hours", "0.1", "--personas", "avellaneda-stoikov:2,momentum:1"];
    const report = await reportOf(...makers);
    expect(report.totals).toMatchObject({ physicalResult: null, surplus: null });
    expect(report.reasons).toMatchObject({
      physicalResult: "nobody has a generating unit or a load to serve",
      surplus: "nobody trades by assignments",
      allocativeEfficiency: "nobody trades by assignments",
    });
    expect((await simulate(...makers)).stdout).toMatch(/^surplus +- \(nobody trades by assignments\)$/m);
  });

  test("says why a metric is null", async () => {
    const report = await reportOf("--steps", "1");
    expect(report.metrics).toMatchObject({ smithsAlpha: null, allocativeEfficiency: null, twoSidedBooks: null });
    const names = ["smithsAlpha", "allocativeEfficiency", "twoSidedBooks", "meanSpread"];
    expect(Object.keys(report.reasons)).toEqual(names);
    expect((await simulate("--steps", "1")).stdout).toContain("smithsAlpha           - (nothing was traded)\n");
  });

  test("prints a line of text for each strategy and book, and nothing on stderr without a terminal", async () => {
    const { stdout, stderr } = await simulate("--steps", FEW_STEPS);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^experiment +calm$/m);
    expect(stdout).toMatch(/^zip +12 +\d+/m);
    expect(stdout).toMatch(/^NORTH-DA-BASE-2026-03-03 +\d+ +\d+ +\d+ +\d+$/m);
    expect(stdout).toMatch(/^NORTH +-?\d+ +(base|spike|drop)$/m);
  });
});

const LAST_DELIVERY = small.contracts.map(({ deliveryStart }) => deliveryStart).toSorted().at(-1) ?? "";

test("a run that outlasts its market says until when there were books, and what values the positions", async () => {
  // Few personas, because each step costs more with every persona.
  const traded = ["--market", path("small.json"), "--personas", "zic:4,zip:2"];
  const last = [...traded, "--start", "2026-01-21T08:00:00Z", "--hours", "5"];
  const report = await reportOf(...last);
  expect(report.books).toEqual([]);
  expect(report.reasons["books"]).toStartWith("no contract is left that personas trade");
  expect(report.bookSamples.count).toBeGreaterThan(0);
  expect(Date.parse(report.bookSamples.until ?? "")).toBeLessThan(Date.parse(LAST_DELIVERY));
  expect(report.marks).toEqual({ book: 0, lastTrade: 0, forecast: 0, delivery: 1 });
  const { stdout } = await simulate(...last);
  expect(stdout).toMatch(/^twoSidedBooks +\S+ % \(of \d+ looks, the last at 2026-01-21T\S+\)$/m);
  expect(stdout).toContain("No books: no contract is left that personas trade");
  expect(stdout).toMatch(/^valuedBy +delivery 1$/m);
});

test.each([
  ["small", ["N-H12", "S-PK"], ["NORTH", "SOUTH"]],
  ["one-node", ["N-H12"], ["NORTH"]],
])(
  "the market %s begins a day before its first delivery, and trades what it lists",
  async (name, contractIds, nodes) => {
    const report = await reportOf("--market", path(`${name}.json`), "--steps", FEW_STEPS);
    expect(report.startedAt).toBe("2026-01-19T17:00:00.000Z");
    expect(report.books.map(({ contractId }) => contractId)).toEqual(contractIds);
    expect(report.spot.map(({ node }) => node)).toEqual(nodes);
    expect(report.totals["trades"]).toBeGreaterThan(0);
  },
);

describe("a tape", () => {
  const filesOf = (tape: string) =>
    Object.fromEntries(readdirSync(tape).toSorted().map((name) => [name, readFileSync(join(tape, name), "base64")]));

  test.each(size(["parquet"], ["csv", "parquet"]))(
    "in %s has the same bytes from source and compiled, over the given hours",
    async (format) => {
      const [compiled, source] = [path(`compiled-${format}`), path(`source-${format}`)];
      const run = ["--seed", "7", "--hours", String(TAPE_HOURS), "--preset", "volatile"];
      const settings = [...run, "--tape-format", format, "--tape"];
      const { stdout, ...rest } = await simulateCompiled(...settings, compiled);
      expect(rest).toEqual({ exitCode: 0, stderr: "" });
      const endedAt = new Date(Date.parse("2026-03-02T06:00:00Z") + TAPE_HOURS * 3_600_000).toISOString();
      expect(stdout).toMatch(new RegExp(`^endedAt +${endedAt}$`, "m"));
      expect((await simulate(...settings, source)).stdout).toBe(stdout);
      const files = filesOf(compiled);
      expect(filesOf(source)).toEqual(files);
      expect(Object.keys(files)).toHaveLength(11);
      const described = JSON.parse(readFileSync(join(compiled, "run.json"), "utf8"));
      expect(described).toMatchObject({ seed: 7, hours: TAPE_HOURS, format, experiment: { name: "volatile" } });
    },
  );

  test("ends with 1 and one line if the disk takes no more, and says what is on disk", async () => {
    const tape = path("tape-full");
    const script = `trap '' XFSZ; ulimit -f 200; exec "$0" simulate --hours 6 --tape "$1"`;
    const { exitCode, stdout, stderr } = await run(["bash", "-c", script, MKT, tape], { env: BARE_ENVIRONMENT });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toStartWith(`mkt: tape ${tape}: `);
    expect(stderr).toMatch(/: (orders|forecasts|quotes|depth)\.csv can't be written at 2026-03-02T/);
    expect(stderr).toMatch(
      /; the tape is incomplete, with these rows on disk: trades \d+, quotes \d+, orders \d+, .*\n$/,
    );
    expect(stderr.trimEnd()).not.toContain("\n");
    expect(readdirSync(tape)).not.toContain("run.json");
  });
});

describe("a wrong command line", () => {
  test("exits with 2 and names every fault", async () => {
    const { exitCode, stdout, stderr } = await simulate(
      ...["--seed", "-1", "--steps", "ten", "--preset", "wild", "--format", "csv", "--market", path("none.json")],
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toEqual([
      'mkt: --preset: there is no "wild"; give one of calm, volatile, stress, thin, credit',
      'mkt: --steps: a whole number from 1 to 1000000000, not "ten"',
      'mkt: --seed: a whole number from 0 to 4294967295, not "-1"',
      'mkt: --format: there is no "csv"; give one of text, json',
      `mkt: ${path("none.json")}: can't be read: no such file or folder`,
    ]);
  });

  test("numbers out of their range, and a layout without a tape: exit 2", async () => {
    const { exitCode, stderr } = await simulate(
      ...["--steps", "1.5", "--hours", "0", "--seed", "4294967296", "--tape-format", "csv"],
    );
    expect(exitCode).toBe(2);
    const range = ["--hours: a number from 0.01", "--steps: a whole number from 1", "--seed: a whole number from 0"];
    for (const fault of [...range, "--tape-format: needs --tape"]) expect(stderr).toContain(`mkt: ${fault}`);
  });

  test.each([
    ["nothing where a value belongs", ["--preset"], "argument missing"],
    ["an option that is not there", ["--speed", "2"], "unknown option"],
    ["a market of viewers", ["--market", path("nobody.json")], "no user of the market may submit orders"],
  ])("%s: exit 2", async (_, args, named) => {
    expect(await simulate(...args)).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringContaining(named) });
  });
});
