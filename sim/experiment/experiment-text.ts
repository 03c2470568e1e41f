// An experiment as JSON text that can be saved and run again: every setting, small objects on one line.

import type { Experiment } from "./experiment.ts";

/** Characters, without the name. */
const MOST_ON_ONE_LINE = 100;
const INDENT = "  ";

/** Without settings that are null, but a null preset, which says that nothing is absent; without the seed of a study. */
export function experimentText(experiment: Experiment): string {
  const isSaid = ([name, value]: [string, unknown]) =>
    name === "preset" || (value !== null && !(name === "seed" && experiment.seeds !== null));
  return block(Object.fromEntries(Object.entries(experiment).filter(isSaid)), "");
}

/** `indent`: of the line on which the value begins. The outermost object is never on one line. */
function block(value: unknown, indent: string): string {
  const line = onOneLine(value);
  if (typeof value !== "object" || value === null) return line;
  if (indent !== "" && indent.length + line.length <= MOST_ON_ONE_LINE) return line;
  const inner = indent + INDENT;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((member: unknown) => memberText("", member, inner))
    : fieldsOf(value).map(([name, member]) => memberText(`${JSON.stringify(name)}: `, member, inner));
  const [open, close] = isList ? "[]" : "{}";
  return members.length === 0 ? `${open}${close}` : `${open}\n${members.join(",\n")}\n${indent}${close}`;
}

function memberText(name: string, value: unknown, indent: string): string {
  return `${indent}${name}${block(value, indent)}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = fieldsOf(value).map(([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

function fieldsOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}
