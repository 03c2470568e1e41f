// Experiments from JSON: what comes from the preset, and the faults, each with its path.

import { describe, expect, test } from "bun:test";
import { SIMULATION_PRESETS, type SimulationPreset } from "../../../protocol/index.ts";
import type { Experiment } from "../../../sim/experiment/experiment.ts";
import { presetExperiment, readExperiment } from "../../../sim/experiment/read-experiment.ts";

function experimentOf(json: unknown, preset?: SimulationPreset): Experiment {
  const read = readExperiment(json, preset);
  if (!read.ok) throw new Error(read.faults.join("\n"));
  return read.experiment;
}

function faultsOf(json: unknown): readonly string[] {
  const read = readExperiment(json);
  return read.ok ? [] : read.faults;
}

describe("an experiment", () => {
  test("of a name alone is the preset calm", () => {
    const { description: _calm, ...calm } = presetExperiment("calm");
    expect(experimentOf({ name: "mine" })).toMatchObject({ ...calm, name: "mine" });
  });

  test.each([...SIMULATION_PRESETS])("may begin from preset %s, by the file or by the command line", (name) => {
    const { personas, events, trading } = presetExperiment(name);
    expect(experimentOf({ name: "mine", preset: name })).toMatchObject({ personas, events, trading });
    expect(experimentOf({ name: "mine", preset: "calm" }, name)).toMatchObject({ personas, events, trading });
  });

  test("changes single settings of the preset, and replaces its lists", () => {
    const calm = presetExperiment("calm");
    const changed = experimentOf({
      name: "mine",
      trading: { halfSpread: 0.5, pace: { meanMs: 500 } },
      personas: [{ strategy: "zic", count: 2 }],
      events: [{ type: "heat_wave", afterHours: 3 }],
    });
    expect(changed.trading).toEqual({ ...calm.trading, halfSpread: 0.5, pace: { kind: "exponential", meanMs: 500 } });
    expect(changed.information).toEqual(calm.information);
    expect(changed.personas).toEqual([{ strategy: "zic", count: 2, parameters: {} }]);
    const event = {
      type: "heat_wave" as const,
      afterHours: 3,
      node: null,
      size: 1,
      durationHours: 6,
      aheadHours: 0,
      falseAlarmChance: 0,
    };
    expect(changed.events).toEqual([event]);
  });

  test("changes single settings of what traders know, also of one kind of them", () => {
    const { makers, informed, others } = presetExperiment("stress").information;
    const changed = experimentOf({ name: "mine", preset: "stress", information: { makers: { delayMs: 77 } } });
    expect(changed.information).toEqual({ makers: { ...makers, delayMs: 77 }, informed, others });
  });

  test("without a preset has to say everything", () => {
    const paths = faultsOf({ name: "mine", preset: null, events: [] }).map((fault) => fault.split(":")[0]);
    expect(paths).toEqual(["information", "trading", "personas"]);
  });

  test("replaces the paces of the preset, because strategies without an entry have the common pace", () => {
    expect(experimentOf({ name: "mine", trading: { paces: {} } }).trading.paces).toEqual({});
  });

  test("has a value for each parameter of each strategy", () => {
    const parametersOf = (parameters?: object) =>
      experimentOf({ name: "mine", personas: [{ strategy: "momentum", count: 1, parameters }] }).personas[0]
        ?.parameters;
    expect(parametersOf({ band: 3 })).toEqual({ ...parametersOf(), band: 3 });
  });

  test("means the same after it has been printed and read again", () => {
    const first = experimentOf({ name: "mine", preset: "stress", personas: [{ strategy: "retailer", count: 3 }] });
    expect(experimentOf(JSON.parse(JSON.stringify(first)))).toEqual(first);
  });
});

describe("the faults of an experiment", () => {
  test("are all named at once, each with its path and what would be right", () => {
    expect(faultsOf({
      nam: "mine",
      seed: 1.5,
      hours: 1,
      steps: 2,
      preset: "wild",
      trading: { halfSpred: 0.1, halfSpread: 7, pace: { kind: "fast" } },
      personas: [
        { strategy: "zap", count: 0 },
        { strategy: "zip", count: 2, parameters: { margn: 1, margin: [0.4, 0.2] } },
        5,
      ],
      events: [{ type: "storm", afterHours: 1, node: true, size: 9 }],
    })).toEqual([
      "name: is missing (Name of the experiment, in reports and tapes; 1 to 200 visible characters)",
      'preset: there is no "wild"; give one of calm, volatile, stress, thin, credit',
      expect.stringMatching(/^seed: must be a whole number \(.*0 to 4,294,967,295/),
      'trading.pace.kind: there is no "fast"; give one of exponential, jittered',
      expect.stringMatching(/^trading\.halfSpread: must be at most 1 \(.*0\.0001 to 1\)$/),
      expect.stringMatching(/^trading\.halfSpred: no such field \(did you mean halfSpread\?\); use pace, /),
      expect.stringMatching(
        /^personas\[0\]\.strategy: there is no "zap" \(did you mean zip\?\); give one of zic, zip, /,
      ),
      expect.stringMatching(/^personas\[0\]\.count: must be at least 1 \(.*1 to 20,000\)$/),
      expect.stringMatching(/^personas\[2\]: must be an object/),
      expect.stringMatching(/^events\[0\]\.type: there is no "storm"; give one of heat_wave, /),
      expect.stringMatching(/^events\[0\]\.node: .*null: both\)$/),
      expect.stringMatching(/^events\[0\]\.size: .*0\.1 to 5\)$/),
      expect.stringMatching(/^nam: no such field \(did you mean name\?\); use name, /),
      expect.stringMatching(/^personas\[1\]\.parameters\.margin: the first number is above the second \(/),
      "personas[1].parameters.margn: no such field (did you mean margin?); use margin, learningRate, momentum",
      "hours: leave out either hours or steps",
    ]);
  });

  test.each([[[]], [null], [3]])("include that %p is not an object", (json) => {
    expect(faultsOf(json)).toEqual(["experiment: must be an object"]);
  });

  test.each([
    [
      "a parameter of a strategy without any",
      { strategy: "zic", count: 1, parameters: { a: 1 } },
      "there are none here",
    ],
    ["an inherited property as a strategy", { strategy: "toString", count: 1 }, "one of zic, "],
  ])("include %s", (_, group, named) => {
    expect(faultsOf({ name: "mine", personas: [group] })).toEqual([expect.stringContaining(named)]);
  });

  test.each([
    [{ name: 3 }, "name: must be a text"],
    [{ market: "" }, "market: must not be empty"],
    [{ hours: "a" }, "hours: must be a number"],
    [{ personas: [] }, "personas: must not be empty"],
    [{ events: {} }, "events: must be a list"],
    [{ trading: 3 }, "trading: must be an object"],
    [{ start: "yesterday" }, "start: is not a time with an offset"],
    [{ start: "1999-12-31T00:00:00Z" }, "start: is not from 2000 to 2099"],
    [{ seed: 1, seeds: "1..2" }, "seed: leave out either seed or seeds"],
    [{ seeds: "2..1" }, "seeds: must be seeds from 0"],
  ])("are in words: %j", (fields, fault) => {
    expect(faultsOf({ name: "mine", ...fields })).toEqual([expect.stringContaining(fault)]);
  });

  test("include more personas than allowed, counted over all groups", () => {
    const personas = [{ strategy: "zic", count: 15_000 }, { strategy: "zip", count: 15_000 }];
    expect(faultsOf({ name: "mine", personas })).toEqual([
      expect.stringMatching(/^personas: more than 20000 personas in all/),
    ]);
  });
});
