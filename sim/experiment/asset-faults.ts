// The faults of an experiment's own plants, loads and batteries, and of the groups that name them, each with its path.

import { choiceFault } from "../../common/command-line.ts";
import { type AssetSettings, type NamedAsset, namedAssets } from "../personas/physical/asset-settings.ts";
import type { PersonaGroup } from "../personas/settings.ts";
import { strategyEntry } from "../strategies/known-strategies.ts";
import { STRATEGIES } from "../strategies/registry.ts";

const FIELDS = { plant: "plants", load: "loads", battery: "batteries" } as const;

interface AssetExperiment extends AssetSettings {
  readonly personas: readonly PersonaGroup[];
}

/** `nodes`: those with a spot price. */
export function assetFaults(experiment: AssetExperiment, nodes: readonly string[]): string[] {
  const assets = namedAssets(experiment);
  const { personas } = experiment;
  return [
    ...assets.flatMap((asset, index) => ownFaults(asset, assets.slice(0, index), nodes)),
    ...personas.flatMap((group, index) =>
      groupFaults(group, personas.slice(0, index), assets).map((fault) => `personas[${index}].${fault}`)
    ),
  ];
}

function ownFaults(
  { kind, settings: { name, node } }: NamedAsset,
  before: readonly NamedAsset[],
  nodes: readonly string[],
): string[] {
  const path = `${FIELDS[kind]}[${before.filter((other) => other.kind === kind).length}]`;
  return [
    ...(before.some(({ settings }) => settings.name === name)
      ? [`${path}.name: "${name}" is another asset's, too`]
      : []),
    ...(nodes.includes(node) ? [] : [`${path}.node: ${choiceFault(node, nodes)}`]),
  ];
}

function groupFaults(
  { asset: name, count, strategy }: PersonaGroup,
  before: readonly PersonaGroup[],
  assets: readonly NamedAsset[],
): string[] {
  if (name === undefined) return [];
  const names = assets.map(({ settings }) => settings.name);
  if (names.length === 0) return [`asset: there is no "${name}"; plants, loads and batteries are empty`];
  const kind = assets.find(({ settings }) => settings.name === name)?.kind;
  if (kind === undefined) return [`asset: ${choiceFault(name, names)}`];
  const owner = before.findIndex(({ asset }) => asset === name);
  return [
    ...(count === 1 ? [] : [`count: must be 1, because "${name}" is one ${kind}`]),
    ...(owner < 0 ? [] : [`asset: "${name}" is that of personas[${owner}]`]),
    ...strategyFaults(strategy, kind),
  ];
}

function strategyFaults(strategy: string, kind: NamedAsset["kind"]): string[] {
  const role = strategyEntry(strategy)?.role;
  const isOwn = !Object.hasOwn(STRATEGIES, strategy);
  const fits = role === undefined || (isOwn && role === "speculator") || (role === "generator" && kind === "plant") ||
    (role === "retailer" && kind === "load");
  if (fits) return [];
  return [
    `strategy: ${strategy} can't trade for a ${kind}; use ` +
    `${
      kind === "plant" ? "generator or " : kind === "load" ? "retailer or " : ""
    }a file whose strategy is a speculator`,
  ];
}
