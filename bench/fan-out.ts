// What a confirmed order costs the engine with many connections, beside a WebSocket server of Bun that only sends frames of the
// same bytes to as many connections.
//
//   bun bench/fan-out.ts [--write]
//
// --write also puts the table into bench/README.md. Exit status 1 if a result is wrong.

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { withSection } from "../scripts/document-section.ts";
import { fanOutTable, measureFanOut } from "./fan-out/comparison.ts";

const README = join(import.meta.dir, "README.md");
/** Fewer orders with many connections, since each order is sent to all of them. */
const SIZES = [
  { connections: 8, orders: 3000 },
  { connections: 200, orders: 1000 },
  { connections: 500, orders: 400 },
];
/**
 * Before `warmUp` orders the runtime still compiles the engine's functions, in threads whose time counts too. A checkpoint is
 * made after every 50,000 orders, so the first one belongs to the warm-up and the rounds end before the second.
 */
const RUN = { outstanding: 64, rounds: 5, warmUp: 60_000 };

async function main(args: readonly string[]): Promise<number> {
  if (args.some((argument) => argument !== "--write")) {
    console.error("usage: bun bench/fan-out.ts [--write]");
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), "mkt-bench-"));
  try {
    const figures = await measureFanOut((command, options) => Bun.spawn(command, options), folder, SIZES, RUN);
    const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Bun ${Bun.version}.`;
    const text = `${machine}\n\n${fanOutTable(figures)}`;
    console.log(text);
    if (args.length > 0) await Bun.write(README, withSection(await Bun.file(README).text(), "fan-out", text));
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
