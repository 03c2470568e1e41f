// Scenarios from JSON, and those that are built in.

import { choiceFault } from "../../common/command-line.ts";
import { schemaFaults } from "../../sim/experiment/schema-faults.ts";
import eveningPeak from "./built-in/evening-peak.json" with { type: "json" };
import { type Scenario, scenario } from "./scenario.ts";

type ReadScenario =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly faults: readonly string[] };

/** The files of the built-in scenarios. They are imported, so they are part of the executable. */
const FILES: readonly unknown[] = [eveningPeak];

const PLACEHOLDER = /\{(\w+)\}/g;

/** `tools`: the names of the tools that there are. */
export function readScenario(json: unknown, tools: Iterable<string>): ReadScenario {
  const faults = schemaFaults(scenario, json);
  if (faults.length > 0) return { ok: false, faults };
  const read = scenario.parse(json);
  const further = [...briefFaults(read), ...toolFaults(read, [...tools])];
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

function briefFaults({ brief, draws }: Scenario): string[] {
  const named = [...brief.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  const unknown = [...new Set(named)].filter((name) => !Object.hasOwn(draws, name));
  const unused = Object.keys(draws).filter((name) => !named.includes(name));
  return [
    ...unknown.map((name) => `brief: {${name}} is not among draws`),
    ...unused.map((name) => `draws.${name}: the brief does not say it`),
  ];
}

function toolFaults({ tools }: Scenario, known: readonly string[]): string[] {
  return tools.flatMap((name, at) => known.includes(name) ? [] : [`tools[${at}]: ${choiceFault(name, known)}`]);
}
