import { expect, test } from "bun:test";
import Ajv from "ajv/dist/2020.js";
import { builtInScenarios } from "../../../arena/scenario/read-scenario.ts";
import { SCENARIO_SCHEMA_FILE, scenarioSchema } from "../../../scripts/scenario-schema.ts";
import { PROGRAM } from "../../plugins/support/packs.ts";

const TOOLS = PROGRAM.packs.flatMap((pack) => pack.tools.map(({ name }) => name));

test("scenarios have the schema of their declaration (after a change, run bun scripts/scenario-schema.ts)", async () => {
  expect(await Bun.file(SCENARIO_SCHEMA_FILE).text()).toBe(scenarioSchema());
});

test("every built-in scenario fits the schema, and one with a field too many does not", () => {
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(scenarioSchema()));
  for (const scenario of builtInScenarios(TOOLS)) {
    expect({ name: scenario.name, fits: validate(scenario) }).toEqual({ name: scenario.name, fits: true });
    expect(validate({ ...scenario, further: 1 })).toBe(false);
  }
});
