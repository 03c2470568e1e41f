// The documented format of experiments: schema and tables follow from the declarations, presets and examples fit them.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
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
import { loadStrategiesOf } from "../../../sim/experiment/strategy-paths.ts";
import { Variants } from "../../../sim/experiment/variants.ts";
import { simulate } from "../../../sim/headless/simulate.ts";
import { addStrategyFile } from "../../../sim/outside/strategies/strategy-files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

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

  test("of a plant of one's own in docs/experiments.md compares its two strategies on paired seeds", async () => {
    const folder = temporaryDirectory();
    for (const [, name = "", text = ""] of document.matchAll(/`([\w-]+\.(?:json|ts))`:\n\n```\w+\n([^]*?)```/g)) {
      await Bun.write(join(folder, name), text);
    }
    const [, name = "", strategy = "", vary = "", seeds = ""] =
      /--experiment (my-\S+) --strategy (\S+) --vary (\S+) --seeds (\S+)/.exec(document) ?? [];
    const path = join(folder, name);
    expect(validate(await Bun.file(path).json())).toBe(true);
    await loadStrategiesOf(path);
    await addStrategyFile(join(folder, strategy));
    // As it stands, but for the length: a run of it takes seconds.
    const flags = { experiment: path, vary: [vary], seeds, hours: 0.2 };
    const base = resolveExperiment(flags);
    if (!base.ok) throw new Error(base.faults.join("; "));
    const variants = new Variants(flags, base);
    expect(variants.faults()).toEqual([]);
    const [patient, prompt] = variants.all.map((variant) => {
      const resolved = variants.resolve(variant);
      if (!resolved.ok) throw new Error(resolved.faults.join("; "));
      const [owner] = simulate(resolved).personas;
      expect(owner).toMatchObject({ entityId: "WILLOW", rejected: 0, physicalResult: 0 });
      expect(owner).not.toHaveProperty("fault");
      expect(owner?.positions.every(({ contractId }) => contractId.startsWith("NORTH-DA-HOUR-2026-03-03"))).toBe(true);
      return owner;
    });
    expect([patient?.strategy, prompt?.strategy]).toEqual(["patient", "prompt"]);
    expect(patient?.workingOrders).toBeGreaterThan(20);
    expect(prompt?.netPositionMw).toBeLessThan(Math.min(-50, patient?.netPositionMw ?? 0));
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
