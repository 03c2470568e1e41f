import { expect, test } from "bun:test";
import { readScenario } from "../../../arena/scenario/read-scenario.ts";
import { TOOLS } from "../../plugins/support/packs.ts";
import { scenarioNamed } from "./support.ts";

const NAMES = TOOLS.map(({ name }) => name);
const RUNAWAY = scenarioNamed("runaway-trader");
const OPERATING = RUNAWAY.operating!;
const [INCIDENT] = OPERATING.incidents;
const FIELD = OPERATING.answer["user"]!;

function faultsOf(operating: unknown, changes: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const read = readScenario({ ...RUNAWAY, ...changes, operating }, NAMES);
  return read.ok ? [] : read.faults;
}

test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
  [
    "a fact that nothing leaves",
    { answer: { user: { ...FIELD, truth: "culprit" } } },
    /^operating\.answer\.user\.truth: no incident/,
  ],
  ["a fact of another type", { answer: { user: { ...FIELD, type: "ids" } } }, /a fact "trader" of the type ids$/],
  [
    "a choice without words",
    { answer: { user: { ...FIELD, type: "choice" } } },
    /^operating\.answer\.user: a choice needs/,
  ],
  [
    "a check of no fact",
    { checks: [{ kind: "no-open-orders", user: "nobody", weight: 1 }] },
    /^operating\.checks\[0\]\.user: no incident leaves a fact "nobody"/,
  ],
  ["two incidents of a kind", { incidents: [INCIDENT, INCIDENT] }, /more than one is of the kind runaway-trader$/],
  [
    "a text for a number",
    { incidents: [{ ...INCIDENT, everySeconds: "{node}" }] },
    /^operating\.incidents\[0\]\.everySeconds: /,
  ],
  [
    "what is not drawn",
    { incidents: [{ ...INCIDENT, products: ["{zone}-DA-BASE"] }] },
    /^operating: \{zone\} is not among draws$/,
  ],
])("an operating scenario with %s is refused", (_what, changes, fault) => {
  const faults = faultsOf({ ...OPERATING, ...changes });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(fault);
});

test("a scenario has the terms of its kind, and no others", () => {
  expect(faultsOf(undefined)[0]).toContain("an operating scenario has operating");
  expect(faultsOf(OPERATING, { kind: "trading" })[0]).toContain("a trading scenario has trading");
});
