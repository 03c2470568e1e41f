import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type ExperimentFlags, resolveExperiment, varyFrom } from "../../../sim/experiment/resolve-experiment.ts";
import { loadStrategiesIn, loadStrategiesOf, withStrategyPaths } from "../../../sim/experiment/strategy-paths.ts";
import { Variants } from "../../../sim/experiment/variants.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const directory = temporaryDirectory();

function variantsOf(flags: ExperimentFlags): Variants {
  const resolved = resolveExperiment(flags);
  if (!resolved.ok) throw new Error(resolved.faults.join("\n"));
  return new Variants(flags, resolved);
}

function experimentsOf(flags: ExperimentFlags) {
  const variants = variantsOf(flags);
  expect(variants.faults()).toEqual([]);
  return variants.all.map((variant) => {
    const resolved = variants.resolve(variant);
    if (!resolved.ok) throw new Error(resolved.faults.join("\n"));
    return resolved.experiment;
  });
}

const thin = { preset: "thin" } as const;
const faultsOf = (...vary: string[]) => variantsOf({ ...thin, vary }).faults();

describe("the variants of an experiment", () => {
  test("have the settings of the grid, and every other setting as it was", () => {
    const [before] = experimentsOf(thin);
    const [one, two] = experimentsOf({ ...thin, vary: ["trading.parentOrders.need=0.02,0.03", "personas.1.count=7"] });
    expect(one).toEqual({
      ...before!,
      name: "thin, with trading.parentOrders.need=0.02, personas[1].count=7",
      trading: { ...before!.trading, parentOrders: { ...before!.trading.parentOrders, need: 0.02 } },
      personas: before!.personas.map((group, at) => at === 1 ? { ...group, count: 7 } : group),
    });
    expect(two?.trading.parentOrders.need).toBe(0.03);
  });

  test("may have strategies from files, by path: in --vary from here, in a file from its folder", async () => {
    const source = (name: string) =>
      `export default (mkt) => mkt.defineStrategy({ name: "${name}", sides: "both", make: () => ({ quote() {} }) });`;
    const [one, two] = [join(directory, "one.ts"), join(directory, "two.ts")];
    await Bun.write(one, source("variant-one"));
    await Bun.write(two, source("variant-two"));
    const vary = [
      `personas.0.strategy=${one},zip`,
      `personas.1={"strategy":"./none.ts","count":1}`,
    ];
    await loadStrategiesIn({ vary: varyFrom(vary) }, ".");
    const refused = resolveExperiment({ ...thin, vary });
    expect(refused).toEqual({
      ok: false,
      faults: ["--vary: personas.1[0].strategy: ./none.ts: can't be read: no such file"],
    });
    const named = experimentsOf({ ...thin, vary: vary.slice(0, 1) });
    expect(named.map(({ personas: [group] }) => group?.strategy)).toEqual(["variant-one", "zip"]);

    const file = join(directory, "strategies.json");
    const personas = [[{ strategy: "./one.ts", count: 1 }], [{ strategy: "./two.ts", count: 1 }]];
    await Bun.write(file, JSON.stringify({ name: "mine", preset: "thin", vary: { personas } }));
    await loadStrategiesOf(file);
    expect(experimentsOf({ experiment: file }).map((each) => each.personas[0]?.strategy)).toEqual(
      ["variant-one", "variant-two"],
    );
    const { vary: paths } = withStrategyPaths({ ...named[0]!, vary: { "personas[0].strategy": ["variant-two"] } });
    expect(paths).toEqual({ "personas[0].strategy": [two] });
  });

  test("have one length", () => {
    const lengths = [{ hours: null, steps: 10 }, { hours: null, steps: 20 }];
    expect(experimentsOf({ ...thin, hours: 4, vary: ["steps=10,20"] })).toMatchObject(lengths);
    expect(experimentsOf({ ...thin, steps: 4, vary: ["hours=2"] })).toMatchObject([{ hours: 2, steps: null }]);
  });

  test("take the rest from the preset that they name, and its name", () => {
    const [calm, stress] = experimentsOf({ vary: ["preset=calm,stress", "hours=1"] });
    const [asPreset] = experimentsOf({ preset: "stress", hours: 1 });
    expect(calm?.name).toBe("calm, with hours=1");
    expect(stress).toEqual({ ...asPreset!, name: "stress, with hours=1" });
  });

  test("have the default parameters of a strategy that they name", () => {
    const [zip] = experimentsOf({ ...thin, vary: ["personas.0.strategy=zip"] });
    const [before] = experimentsOf(thin);
    const { parameters } = before!.personas[1]!;
    expect(zip?.personas[0]).toEqual({ ...before!.personas[0]!, strategy: "zip", parameters });
  });

  test("keep parameters that are varied by themselves, in any order, and those of other groups", () => {
    const [one] = experimentsOf({
      ...thin,
      vary: ['personas.0.parameters={"margin":[0.1,0.2]}', "personas.1.parameters.margin=[0.1,0.3]"].concat(
        "personas.0.strategy=zip",
      ),
    });
    expect(one?.personas.slice(0, 2).map(({ parameters }) => parameters)).toMatchObject([{ margin: [0.1, 0.2] }, {
      margin: [0.1, 0.3],
    }]);
  });

  test("keep the parameters of other groups than the one whose strategy they name", () => {
    const vary = ["personas.1.parameters.margin=[0.1,0.3]", "personas.0.strategy=zip"];
    expect(experimentsOf({ ...thin, vary })[0]?.personas[1]?.parameters).toMatchObject({ margin: [0.1, 0.3] });
  });

  test("have the other flags of the command line, whatever preset they name, and no grid and no seeds", () => {
    const flags = { seeds: "4..6", hours: 1, events: "none", personas: "zic:3" };
    const known = { seed: 4, hours: 1, steps: null, events: [], personas: [{ strategy: "zic", count: 3 }] };
    const single = { ...known, seeds: null, vary: null };
    expect(experimentsOf({ ...flags, vary: ["preset=calm,stress"] })).toMatchObject([single, single]);
    expect(experimentsOf(flags)).toMatchObject([single]);
  });

  test("come from the file, whose grid the command line replaces", async () => {
    const experiment = join(directory, "grid.json");
    await Bun.write(experiment, JSON.stringify({ name: "grid", ...thin, vary: { hours: [1, 2, 3] } }));
    expect(experimentsOf({ experiment })).toMatchObject([{ name: "grid, with hours=1" }, { hours: 2 }, { hours: 3 }]);
    expect(experimentsOf({ experiment, vary: ["steps=5"] })).toMatchObject([{ hours: null, steps: 5 }]);
  });

  test("have a name of at most 200 characters", () => {
    const vary = [`personas=${JSON.stringify(Array.from({ length: 20 }, () => ({ strategy: "zic", count: 1 })))}`];
    const [{ name } = { name: "" }] = experimentsOf({ ...thin, vary });
    expect([...name]).toHaveLength(200);
    expect(name).toStartWith("thin, with personas=[");
  });
});

describe("faults of a variant", () => {
  test("are named with the value that causes them, once", () => {
    expect(faultsOf("trading.halfSpread=0.01,5", "personas.0.count=0,1,2")).toEqual([
      expect.stringMatching(/^vary: personas\[0\]\.count=0: personas\[0\]\.count: must be at least 1/),
      expect.stringMatching(/^vary: trading\.halfSpread=5: trading\.halfSpread: must be at most 1/),
    ]);
  });

  test.each([
    ["a setting that there is not", "trading.halfSpred=1", "no such field (did you mean halfSpread?)"],
    ["an entry beyond a list", "personas.5.count=1", "the list has 5 entries, counted from 0"],
    ["a member of a number", "trading.halfSpread.x=1", "trading.halfSpread is not an object: vary it as a whole"],
    ["a member of what is absent", "personas.0.pace.meanMs=1", "personas[0].pace is absent: vary it as a whole"],
    ["an entry of an object", "trading.0=1", "trading is not a list"],
    ["another strategy's parameter", "personas.0.parameters.margin=1", "personas[0].parameters.margin: no such field"],
    [
      "an unknown preset",
      "preset=calmer",
      'preset=calmer: preset: there is no "calmer" (did you mean calm?); give one of calm, volatile, stress, thin, credit',
    ],
    [
      "an unknown node",
      'events=[{"type":"heat_wave","afterHours":1,"node":"EAST"}]',
      'no node "EAST" with a spot price',
    ],
    ["a start without trading", "start=1999-07-01T00:00:00Z", "is not from 2000 to 2099"],
  ])("name %s", (_, vary, fault) => {
    expect(faultsOf(vary)).toEqual([expect.stringContaining(fault)]);
  });

  test("name two variants that are the same experiment", () => {
    expect(faultsOf("start=2026-07-01T00:00:00Z,2026-07-01T00:00:00.000Z")).toEqual([
      "vary: start=2026-07-01T00:00:00Z and start=2026-07-01T00:00:00.000Z give the same experiment",
    ]);
  });
});
