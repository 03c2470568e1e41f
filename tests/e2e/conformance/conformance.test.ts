// The official conformance suites against the compiled executable, with the fixtures of pack/, which it loads as any pack.
// Each scenario has the outcome that the files *.yml name, so an unexpected success fails the test, too.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { connectHttp, succeed } from "../../support/clients.ts";
import { startHttpServer } from "../../support/executable.ts";
import { LONG } from "../../support/sizes.ts";
import { startPowerMarket } from "../../support/power-market.ts";
import { type Exception, exceptionsFor, REVISIONS } from "./expectations.ts";
import { listedScenarios, type Outcome, runSuite, type SuiteRun } from "./suite.ts";

/** With the number of scenarios: what they are is asked for only in test:long, because each question starts the suite. */
const RUNS: readonly (SuiteRun & { readonly scenarios: number })[] = [
  { suite: "conformance-2025-11-25", revision: "2025-11-25", scenarios: 32 },
  { suite: "conformance-2026-07-28", revision: "2025-11-25", scenarios: 33 },
  { suite: "conformance-2026-07-28", revision: "2026-07-28", scenarios: 50 },
];
/** The later suite tries little on the earlier revision that the earlier suite does not, so it does that in test:long. */
const RUNS_HERE = RUNS.filter(({ suite, revision }) => LONG || suite.endsWith(revision));
const RESULTS: Readonly<Record<Exception["kind"], Outcome["result"] | "not run">> = {
  server: "failed",
  not_applicable: "checked nothing",
  not_run: "not run",
};

const MKT_PLUGIN_DIR = join(import.meta.dir, "pack");
const engine = await startPowerMarket();
const server = await startHttpServer({ ...engine.environmentFor("anna"), MKT_PLUGIN_DIR });
await succeed(await connectHttp("v2", server.url), "mkt_connect_pubsub");

test("all fixtures are loaded as packs", () => {
  expect(server.stderr()).not.toMatch(/"level":"(WARN|ERROR)/);
});

describe.each(RUNS_HERE)("$suite, for $revision", (suiteRun) => {
  test("each scenario has the outcome that is expected of it, and none is left out", async () => {
    const exceptions = await exceptionsFor(suiteRun.revision);
    const { outcomes, exitCode, stdout } = await runSuite(suiteRun, server.url);
    expect(outcomes.size).toBe(suiteRun.scenarios);
    const own = LONG ? (await listedScenarios(suiteRun)).own : [...outcomes.keys()];
    const expected: Record<string, string> = Object.fromEntries(
      own.map((scenario) => [scenario, expectedOutcome(scenario, exceptions)]),
    );
    const actual = Object.fromEntries([...outcomes].map(([scenario, { result, faults }]) => {
      const isExpected = result === expected[scenario];
      return [scenario, isExpected ? result : [result, ...faults].join("; ")];
    }));
    expect(actual).toEqual(expected);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  });
});

test.skipIf(!LONG).each(REVISIONS)(
  "each scenario in the file for %s is one of a suite, and one that is not run is an extension's",
  async (revision) => {
    const lists = await Promise.all(RUNS.filter((each) => each.revision === revision).map(listedScenarios));
    const own = new Set(lists.flatMap((list) => list.own));
    const extension = new Set(lists.flatMap((list) => list.extension));
    const exceptions = await exceptionsFor(revision);
    for (const { scenario, kind } of exceptions) {
      expect({ scenario, isKnown: kind === "not_run" ? extension.has(scenario) : own.has(scenario) })
        .toEqual({ scenario, isKnown: true });
    }
    if (revision === "2025-11-25") return;
    const notRun = exceptions.filter(({ kind }) => kind === "not_run").map(({ scenario }) => scenario);
    expect([...extension].filter((scenario) => !own.has(scenario)).sort()).toEqual(notRun.sort());
  },
);

function expectedOutcome(scenario: string, exceptions: readonly Exception[]): string {
  const exception = exceptions.find((each) => each.scenario === scenario);
  return exception === undefined ? "passed" : RESULTS[exception.kind];
}
