// Replicas that share a Redis server: reads a second of one, two and three, and what Redis adds to the cost of an event.
//
//   bun bench/replicas.ts [--write]
//
// --write also puts the tables into bench/README.md. Needs the program redis-server, and Linux for its processor time. Exit
// status 1 if an answer is wrong.

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { withSection } from "../scripts/document-section.ts";
import type { Run } from "./agents/engine-run.ts";
import { type EventCosts, type EventLoad, measureEvents } from "./replicas/events.ts";
import { measureReads, type Reads, type ReadsLength } from "./replicas/reads.ts";
import { World, type WorldOptions } from "./replicas/world.ts";
import { aligned, grouped, threeDigits } from "./table.ts";

const README = join(import.meta.dir, "README.md");
const READS: ReadsLength = { seconds: 4, connections: 24 };
const EVENTS: EventLoad = { requestsPerSecond: 1_000, seconds: 10 };

type Means = Pick<WorldOptions, "spawn" | "spawnProgram" | "redisServer" | "folder"> & { readonly run: Run };

interface Case {
  readonly name: string;
  readonly replicas: number;
  readonly withRedis: boolean;
}

const CASES: readonly Case[] = [
  { name: "1 without Redis", replicas: 1, withRedis: false },
  { name: "1", replicas: 1, withRedis: true },
  { name: "2", replicas: 2, withRedis: true },
  { name: "3", replicas: 3, withRedis: true },
];

interface Figures extends Case {
  readonly reads: Reads;
  readonly events: EventCosts;
}

export async function measured(
  means: Means,
  cases: readonly Case[] = CASES,
  reads: ReadsLength = READS,
  events: EventLoad = EVENTS,
): Promise<Figures[]> {
  const figures: Figures[] = [];
  for (const each of cases) {
    const world = await World.start({ ...means, ...each });
    try {
      const costs = await measureEvents(world, means.run, events);
      figures.push({ ...each, events: costs, reads: await measureReads(world, reads) });
    } finally {
      await world.end();
    }
  }
  return figures;
}

/** Ratios are to the first case. */
export function tablesOf(figures: readonly Figures[]): string {
  const [alone] = figures;
  const reads = figures.map(({ name, reads: { perSecond, microseconds, redisMicroseconds } }) => [
    name,
    grouped(Math.round(perSecond)),
    threeDigits(microseconds),
    threeDigits(redisMicroseconds),
    threeDigits((microseconds + redisMicroseconds) / alone!.reads.microseconds),
  ]);
  const events = figures.map(({ name, events: { eventsPerSecond, microseconds, redisMicroseconds, bytes } }) => [
    name,
    grouped(Math.round(eventsPerSecond)),
    threeDigits(microseconds),
    threeDigits(microseconds / alone!.events.microseconds),
    threeDigits(redisMicroseconds),
    grouped(Math.round(bytes)),
  ]);
  return [
    aligned(["replicas", "reads / s", "µs a read", "µs of Redis a read", "to the first"], reads),
    aligned(
      ["replicas", "events / s", "µs an event, each replica", "to the first", "µs of Redis an event", "bytes on Redis"],
      events,
    ),
  ].join("\n\n");
}

async function main(args: readonly string[]): Promise<number> {
  const redisServer = Bun.which("redis-server");
  if (args.some((argument) => argument !== "--write") || redisServer === null) {
    console.error("usage: bun bench/replicas.ts [--write]; it needs the program redis-server");
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), "mkt-bench-"));
  try {
    const means: Means = {
      spawn: (command, options) => Bun.spawn(command, options),
      spawnProgram: (command, options) => Bun.spawn(command, options),
      redisServer,
      folder,
      run,
    };
    const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Bun ${Bun.version}.`;
    const figures = `${machine}\n\n${tablesOf(await measured(means))}`;
    console.log(figures);
    if (args.length > 0) await Bun.write(README, withSection(await Bun.file(README).text(), "replicas", figures));
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  if (await child.exited !== 0) throw new Error(`${command.join(" ")} ended with ${child.exitCode}`);
  return text;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
