// `mkt packs`: what each pack of this configuration brings, and the packs that are not there, with the reasons.
//
// Invariant: the value of a secret variable is not shown.

import { oneLine } from "../../common/command-line.ts";
import type { LoadedPacks } from "../../core/packs/pack-loader.ts";
import type { PackVariable } from "../../core/packs/pack-variables.ts";
import type { Pack } from "../../core/packs/pack.ts";

export function packsAsJson({ packs, leftOut, warnings, failures }: LoadedPacks): string {
  const listed = { packs: packs.map(packAsValue), notOffered: leftOut, warnings, notLoaded: failures };
  return JSON.stringify(listed, null, 2);
}

function packAsValue({ name, description, origin, ...offers }: Pack) {
  return {
    name,
    description,
    /** Null for a built-in pack. */
    file: origin?.file ?? null,
    tools: offers.tools.map(({ name, title }) => ({ name, title })),
    resources: offers.resources.map(({ name, uri, title }) => ({ name, uri, title })),
    prompts: offers.prompts.map(({ name, title }) => ({ name, title })),
    routes: offers.routes.map(({ method, path, description }) => ({ method, path, description })),
    variables: origin?.variables ?? [],
  };
}

export function packsAsText({ packs, leftOut, warnings, failures }: LoadedPacks): string {
  return [
    ...packs.flatMap((pack) => [...packLines(pack), ""]),
    `${packs.length} packs`,
    ...leftOut.map(({ what, reason }) => oneLine(`not offered: ${what}: ${reason}`)),
    ...warnings.map((warning) => oneLine(`warning: ${warning}`)),
    ...failures.map(({ source, reason }) => oneLine(`not loaded: ${source}: ${reason}`)),
  ].join("\n");
}

function packLines({ name, description, origin, tools, resources, prompts, routes }: Pack): string[] {
  const entries = [
    ...tools.map(({ name, title }) => ["tool", name, title] as const),
    ...resources.map(({ uri, title }) => ["resource", uri, title] as const),
    ...prompts.map(({ name, title }) => ["prompt", name, title] as const),
    ...routes.map(({ method, path, description }) => ["route", `${method} ${path}`, description] as const),
    ...(origin?.variables ?? []).map((variable) => ["variable", settingOf(variable), variable.description] as const),
  ];
  const width = Math.max(...entries.map(([, entry]) => entry.length), 0);
  return [
    oneLine(`${name}: ${description} (${origin?.file ?? "built in"})`),
    ...entries.map(([kind, entry, about]) => oneLine(`  ${kind.padEnd(8)}  ${entry.padEnd(width)}  ${about}`)),
  ];
}

/** Name and value of a variable as one text. */
export function settingOf({ name, secret, isSet, shown }: PackVariable): string {
  if (secret && isSet) return `${name}=[secret]`;
  if (shown === null) return `${name} (not set)`;
  return `${name}=${shown}${isSet ? "" : " (default)"}`;
}
