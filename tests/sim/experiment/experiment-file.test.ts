// The documented format of experiments: schema and tables follow from the declarations, presets and examples fit them.

import { describe, expect, test } from "bun:test";
import Ajv from "ajv/dist/2020.js";
import {
  EXPERIMENT_SCHEMA_FILE,
  EXPERIMENTS_DOCUMENT,
  experimentSchema,
  withExperimentTables,
} from "../../../scripts/experiment-schema.ts";
import { SIMULATION_PRESETS } from "../../../protocol/index.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { presetFile, readExperiment } from "../../../sim/experiment/read-experiment.ts";
import { loadExperiment, resolveExperiment } from "../../../sim/experiment/resolve-experiment.ts";
import { simulate } from "../../../sim/headless/simulate.ts";

const EXAMPLE = new URL("../../../docs/examples/experiment.json", import.meta.url).pathname;
const CURRENT = "(after a change, run bun scripts/experiment-schema.ts)";
const document = await Bun.file(EXPERIMENTS_DOCUMENT).text();
const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(experimentSchema()));

describe("the experiment file", () => {
  test(`has the schema of its declarations ${CURRENT}`, async () => {
    expect(await Bun.file(EXPERIMENT_SCHEMA_FILE).text()).toBe(experimentSchema());
  });

  test(`has every field and parameter in docs/experiments.md ${CURRENT}`, () => {
    expect(withExperimentTables(document)).toBe(document);
  });

  test.each([...SIMULATION_PRESETS])("of preset %s fits the schema", (name) => {
    expect({ fits: validate(presetFile(name)), errors: validate.errors }).toEqual({ fits: true, errors: null });
  });

  test("of the example fits the schema and runs", async () => {
    expect(validate(await Bun.file(EXAMPLE).json())).toBe(true);
    const loaded = loadExperiment(EXAMPLE);
    if (!loaded.ok) throw new Error(loaded.faults.join("; "));
    const experiment = { ...loaded.experiment, hours: 0.1 };
    const { totals, startedAt } = simulate({ experiment, definition: builtInMarket() });
    expect(startedAt).toBe("2026-07-01T05:00:00.000Z");
    expect(totals.trades).toBeGreaterThan(0);
  });

  test("of docs/experiments.md fits the schema", () => {
    const [, first = ""] = /```json\n([^]*?)```/.exec(document) ?? [];
    expect(validate(JSON.parse(first))).toBe(true);
    expect(readExperiment(JSON.parse(first)).ok).toBe(true);
  });

  test("is refused by the schema for a parameter of another strategy", () => {
    const group = (strategy: string) => ({ name: "x", personas: [{ strategy, count: 1, parameters: { band: 1 } }] });
    expect(validate(group("momentum"))).toBe(true);
    expect(validate(group("zip"))).toBe(false);
  });
});

test("the events of docs/experiments.md can be given on the command line", () => {
  const [, events = ""] = /`--events (heat_wave\S+)`/.exec(document) ?? [];
  expect(resolveExperiment({ events })).toMatchObject({ ok: true, experiment: { events: { length: 2 } } });
});
