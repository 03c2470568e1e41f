// Memory of the engine: bytes that it keeps for each object, and the resident set of a process that plays a day of a busy
// market. Each is measured in a process of its own.
//
//   bun bench/memory.ts [OPERATIONS]    both, with a day of as many operations (default 10,000,000)
//
// Claims: an operation of the last 24 hours takes some 100 bytes on average, with UUIDs as ids; a day of 10,000,000
// operations fits in 4 GB.

import type { DayFigures } from "./memory/day.ts";
import type { ObjectSizes } from "./memory/objects.ts";
import type { StandaloneBench } from "./suite.ts";
import { aligned, duration, grouped } from "./table.ts";

interface MemorySizes {
  /** How many of each kind of object are measured. */
  readonly objects: number;
  /** Operations of the day. */
  readonly day: number;
}

export const FULL_DAY = 10_000_000;
const SIZES: MemorySizes = { objects: 50_000, day: 1_000_000 };
const CHILD = new URL("memory/child.ts", import.meta.url).pathname;
const MEGABYTE = 2 ** 20;

export function memoryTables({ objects, day }: MemorySizes): string {
  const bytes = measured<ObjectSizes>("objects", objects);
  const played = playedDay(day);
  const perOperation = played.seconds * 1e9 / played.operations;
  return [
    "### memory",
    `Bytes that the engine keeps for each, measured with ${grouped(objects)} of them.`,
    aligned(["object", "bytes"], [
      ["open order", grouped(Math.round(bytes.openOrder))],
      ["closed order", grouped(Math.round(bytes.closedOrder))],
      ["trade, with both fills", grouped(Math.round(bytes.trade))],
      ["operation of the last 24 hours, if it submits an order", grouped(Math.round(bytes.submitOperation))],
      ["operation of the last 24 hours, if it changes or cancels one", grouped(Math.round(bytes.otherOperation))],
    ]),
    "A day: operations of ten users in the mix of the engine's bench, all within 24 hours.",
    aligned(["operations", "accepted", "open orders", "kept", "greatest resident set", "a call"], [[
      grouped(played.operations),
      grouped(played.accepted),
      grouped(played.openOrders),
      megabytes(played.keptBytes),
      megabytes(played.peakBytes),
      duration(perOperation),
    ]]),
  ].join("\n\n");
}

export function playedDay(operations: number): DayFigures {
  return measured<DayFigures>("day", operations);
}

function measured<Figures>(part: "objects" | "day", count: number): Figures {
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, CHILD, part, String(count)]);
  if (exitCode !== 0) throw new Error(`the measurement of ${part} failed:\n${stderr}`);
  return JSON.parse(String(stdout));
}

function megabytes(bytes: number): string {
  return `${grouped(Math.round(bytes / MEGABYTE))} MB`;
}

export default { name: "memory", tables: () => memoryTables(SIZES) } satisfies StandaloneBench;

if (import.meta.main) console.log(memoryTables({ ...SIZES, day: Number(process.argv[2] ?? FULL_DAY) }));
