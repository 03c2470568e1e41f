// Scenarios from JSON, and those that are built in.

import { choiceFault } from "../../common/command-line.ts";
import type { Experiment } from "../../sim/experiment/experiment.ts";
import { readExperiment } from "../../sim/experiment/read-experiment.ts";
import { schemaFaults } from "../../sim/experiment/schema-faults.ts";
import batteryDay from "./built-in/battery-day.json" with { type: "json" };
import eveningPeak from "./built-in/evening-peak.json" with { type: "json" };
import falseReport from "./built-in/false-report.json" with { type: "json" };
import heatWave from "./built-in/heat-wave.json" with { type: "json" };
import incidentHour from "./built-in/incident-hour.json" with { type: "json" };
import largeOrder from "./built-in/large-order.json" with { type: "json" };
import lostAnswer from "./built-in/lost-answer.json" with { type: "json" };
import makeMarket from "./built-in/make-market.json" with { type: "json" };
import priceMover from "./built-in/price-mover.json" with { type: "json" };
import runawayTrader from "./built-in/runaway-trader.json" with { type: "json" };
import scarceCredit from "./built-in/scarce-credit.json" with { type: "json" };
import sellPlant from "./built-in/sell-plant.json" with { type: "json" };
import stuckOrder from "./built-in/stuck-order.json" with { type: "json" };
import unwindPosition from "./built-in/unwind-position.json" with { type: "json" };
import { operatingFaults } from "./operating-terms.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { PLACEHOLDER } from "./trading-terms.ts";

type ReadScenario =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly faults: readonly string[] };

/** The files of the built-in scenarios. They are imported, so they are part of the executable. */
const FILES: readonly unknown[] = [
  eveningPeak,
  unwindPosition,
  sellPlant,
  batteryDay,
  makeMarket,
  largeOrder,
  heatWave,
  scarceCredit,
  stuckOrder,
  lostAnswer,
  priceMover,
  incidentHour,
  runawayTrader,
  falseReport,
];

/** `tools`: the names of the tools that there are. */
export function readScenario(json: unknown, tools: Iterable<string>): ReadScenario {
  const faults = schemaFaults(scenario, json);
  if (faults.length > 0) return { ok: false, faults };
  const read = scenario.parse(json);
  const draws = drawFaults(read);
  const terms = draws.length > 0 || read.operating === undefined
    ? []
    : operatingFaults(read.operating, samplesOf(read));
  const further = [...draws, ...terms, ...toolFaults(read, [...tools]), ...othersFaults(read)];
  return further.length > 0 ? { ok: false, faults: further } : { ok: true, scenario: read };
}

/** In the order of their list. Throws if one of them is faulty. */
export function builtInScenarios(tools: Iterable<string>): Scenario[] {
  const known = [...tools];
  return FILES.map((file) => {
    const read = readScenario(file, known);
    if (!read.ok) throw new Error(read.faults.join("\n"));
    return read.scenario;
  });
}

/** The experiment by which the others trade. Throws a RangeError if the scenario was not read by `readScenario`. */
export function experimentOf(scenario: Scenario): Experiment {
  const read = othersOf(scenario);
  if (!read.ok) throw new RangeError(read.faults.join("\n"));
  return read.experiment;
}

function othersOf({ name, others }: Scenario) {
  return readExperiment({ ...others, name });
}

function othersFaults(scenario: Scenario): string[] {
  const read = othersOf(scenario);
  return read.ok ? [] : read.faults.map((fault) => `others.${fault}`);
}

/** Everything drawn is told, whatever stands for it is drawn, and no text is in place of a number. */
function drawFaults({ brief, draws, trading, operating }: Scenario): string[] {
  const named = namesIn(brief);
  const unknown = (where: string, names: readonly string[]) =>
    names.filter((name) => !Object.hasOwn(draws, name)).map((name) => `${where}: {${name}} is not among draws`);
  const inTrading = namesIn(JSON.stringify(trading ?? null));
  const texts = inTrading.filter((name) => "oneOf" in (draws[name] ?? {}));
  const unused = Object.keys(draws).filter((name) => !named.includes(name));
  return [
    ...unknown("brief", named),
    ...unknown("trading", inTrading),
    ...texts.map((name) => `trading: {${name}} is a text, and a number is needed`),
    ...unknown("operating", namesIn(JSON.stringify(operating ?? null))),
    ...unused.map((name) => `draws.${name}: the brief does not say it`),
  ];
}

/** What may be drawn, by name. */
function samplesOf({ draws }: Scenario): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries(draws).map(([name, draw]) => [name, "oneOf" in draw ? draw.oneOf[0] ?? "" : draw.least]),
  );
}

function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name))];
}

function toolFaults({ tools }: Scenario, known: readonly string[]): string[] {
  return tools.flatMap((name, at) => known.includes(name) ? [] : [`tools[${at}]: ${choiceFault(name, known)}`]);
}
