// Which packs a configuration chooses, and why one that it names is not offered.

import { expect, test } from "bun:test";
import { type Choosable, chosenPacks, packNameFaults, unavailability } from "../../../core/packs/pack-choice.ts";
import { configurationFor } from "../support/services.ts";

const needs = { setting: "stressTestSecret", reason: "it needs a secret" } as const;
const PACKS: readonly Choosable[] = [
  { name: "query" },
  { name: "dev", needs },
  { name: "acme", unavailable: ({ packs }) => packs.readOnly ? "it only changes things" : null },
  { name: "both", needs, unavailable: () => "never" },
];

test.each<[Record<string, string>, string[]]>([
  [{}, ["query", "acme"]],
  [{ STRESS_TEST_SECRET: "s" }, ["query", "dev", "acme"]],
  [{ MKT_READ_ONLY: "1" }, ["query"]],
  [{ MKT_PACKS: "acme,query" }, ["query", "acme"]],
  [{ MKT_PACKS: "dev" }, []],
  [{ MKT_PACKS: "," }, []],
])("with %j the packs are %j, in their own order", (environment, names) => {
  expect(chosenPacks(PACKS, configurationFor(environment)).map(({ name }) => name)).toEqual(names);
});

test.each<[Record<string, string>, string[]]>([
  [{}, []],
  [{ MKT_PACKS: "query,acme" }, []],
  [{ MKT_PACKS: "quary,dev,query,acme", MKT_READ_ONLY: "1" }, [
    "there is no pack quary (did you mean query?); the packs are query, dev, acme, both",
    "the pack dev can't be loaded: it needs a secret",
    "the pack acme can't be loaded: it only changes things",
  ]],
])("with %j the faults are %j", (environment, faults) => {
  expect(packNameFaults(PACKS, configurationFor(environment))).toEqual(faults);
});

test("a setting that is missing comes before a pack's own reason", () => {
  const both = PACKS.at(-1)!;
  expect(unavailability(both, configurationFor())).toBe("it needs a secret");
  expect(unavailability(both, configurationFor({ STRESS_TEST_SECRET: "s" }))).toBe("never");
  const dashboard = { name: "d", needs: { setting: "dashboard", reason: "off" } } as const;
  expect([configurationFor(), configurationFor({ MKT_DASHBOARD: "0" })].map((each) => unavailability(dashboard, each)))
    .toEqual([null, "off"]);
});
