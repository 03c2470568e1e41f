// Serving MCP over HTTP: mkt beside the SDK's server, tmcp and a bare echo, in one run, each in a process of its own.
//
//   bun bench/serving.ts [--write]
//
// --write also puts the tables into bench/README.md. Exit status 1 if an answer is wrong.

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { withSection } from "../scripts/document-section.ts";
import { compare, comparisonTables } from "./serving/comparison.ts";
import { Fleet } from "./serving/fleet.ts";
import { latencyTable, measureLatency } from "./serving/latency.ts";
import { measureMemory, memoryTable } from "./serving/memory.ts";
import { type ServerName, SERVERS } from "./serving/servers.ts";

const README = join(import.meta.dir, "README.md");
const COMPARISON = { cycles: 5, length: { milliseconds: 700, minProcessorMs: 200 } };
const LATENCY = { seconds: 3, rounds: 3 };
const MEMORY = { before: 100_000, calls: 1_000_000 };

async function main(args: readonly string[]): Promise<number> {
  if (args.some((argument) => argument !== "--write")) {
    console.error("usage: bun bench/serving.ts [--write]");
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), "mkt-bench-"));
  try {
    const figures = await measured(folder);
    console.log(figures);
    if (args.length > 0) await Bun.write(README, withSection(await Bun.file(README).text(), "serving", figures));
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measured(folder: string): Promise<string> {
  const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Bun ${Bun.version}.`;
  const speed = await withFleet(folder, SERVERS, async (fleet) => {
    const comparison = await compare(fleet, COMPARISON);
    return [comparisonTables(comparison), latencyTable(await measureLatency(fleet, comparison, LATENCY))];
  });
  const memory = await withFleet(folder, ["mkt"], async (fleet) => memoryTable(await measureMemory(fleet, MEMORY)));
  return [machine, ...speed, memory].join("\n\n");
}

async function withFleet<Result>(
  folder: string,
  servers: readonly ServerName[],
  use: (fleet: Fleet) => Promise<Result>,
): Promise<Result> {
  const fleet = await Fleet.start((command, options) => Bun.spawn(command, options), folder, servers);
  try {
    return await use(fleet);
  } finally {
    await fleet.end();
  }
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
