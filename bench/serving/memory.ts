// The memory of mkt after many calls, each time after a collection.

import { aligned, grouped, threeDigits } from "../table.ts";
import type { Fleet } from "./fleet.ts";
import { drive } from "./load.ts";
import type { Memory } from "./probe.ts";

interface Growth {
  readonly calls: readonly [number, number];
  readonly memory: readonly [Memory, Memory];
}

/** Calls all tools in turn, `before` times and then until there were `calls` calls. */
export async function measureMemory(
  fleet: Fleet,
  { before, calls }: { readonly before: number; readonly calls: number },
): Promise<Growth> {
  const { memory } = fleet.server("mkt").process;
  const tools = Object.keys(fleet.cases).filter((name) => name !== "tools/list");
  const { connections, requests, check } = await fleet.side("mkt", tools);
  const after = async (count: number) => {
    await drive(connections, requests, (sent) => sent < count);
    await check();
    return await memory();
  };
  return { calls: [before, calls], memory: [await after(before), await after(calls - before)] };
}

export function memoryTable({ calls, memory }: Growth): string {
  const [earlier, later] = memory;
  const row = (name: string, figure: (memory: Memory) => number, shown: (value: number) => string) => [
    name,
    shown(figure(earlier)),
    shown(figure(later)),
    `${threeDigits((figure(later) / figure(earlier) - 1) * 100)} %`,
  ];
  const megabytes = (bytes: number) => `${threeDigits(bytes / 1e6)} MB`;
  return aligned(["memory of mkt", ...calls.map((count) => `after ${grouped(count)} calls`), "growth"], [
    row("heap", ({ heapBytes }) => heapBytes, megabytes),
    row("objects", ({ objects }) => objects, grouped),
    row("resident", ({ residentBytes }) => residentBytes, megabytes),
  ]);
}
