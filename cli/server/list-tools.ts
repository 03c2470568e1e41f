// `mkt tools`: the tools that this configuration offers, by pack.

import type { LoadedPacks } from "../../core/packs/pack-loader.ts";
import type { Runtime } from "../../core/runtime.ts";
import { oneLine } from "../../common/command-line.ts";

export function toolsAsJson({ packs, dispatcher }: Pick<Runtime, "packs" | "dispatcher">): string {
  const listedTools = new Map(dispatcher.catalogue.listed.map((tool) => [tool.name, tool]));
  const listed = packs.map((pack) => ({
    name: pack.name,
    description: pack.description,
    tools: pack.tools.map(({ name }) => listedTools.get(name)),
  }));
  return JSON.stringify({ toolCount: listed.flatMap((pack) => pack.tools).length, packs: listed }, null, 2);
}

export function toolsAsText({ packs, failures }: LoadedPacks): string {
  const width = Math.max(...packs.flatMap((pack) => pack.tools.map((tool) => tool.name.length)), 0);
  const lines = packs.flatMap((pack) => [
    `${pack.name}: ${oneLine(pack.description)} (${pack.tools.length})`,
    ...pack.tools.map((tool) => `  ${tool.name.padEnd(width)}  ${oneLine(tool.title)}`),
    "",
  ]);
  const failed = failures.map(({ source, reason }) => `not loaded: ${oneLine(`${source}: ${reason}`)}`);
  return [...lines, `${packs.flatMap((pack) => pack.tools).length} tools`, ...failed].join("\n");
}
