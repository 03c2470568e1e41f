// Preloaded into each measured process: answers questions of the bench over IPC, and ends with the bench. The measured program
// itself stays as it is.

import { heapStats } from "bun:jsc";

export interface Usage {
  /** Processor time of the process since its start, of all threads. */
  readonly processorMicroseconds: number;
  /** Without a collection. */
  readonly residentBytes: number;
}

export interface Memory {
  readonly heapBytes: number;
  readonly objects: number;
  readonly residentBytes: number;
}

export type Question = "usage" | "memory";

process.on("message", (question: Question) => void answer(question));
process.on("disconnect", () => process.exit(0));

async function answer(question: Question): Promise<void> {
  process.send?.(question === "usage" ? usage() : await memory());
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { processorMicroseconds: user + system, residentBytes: process.memoryUsage.rss() };
}

/** After collections. */
async function memory(): Promise<Memory> {
  for (let count = 0; count < COLLECTIONS; count += 1) {
    Bun.gc(true);
    // Finalizers run meanwhile, which release what is outside of the heap.
    await Bun.sleep(PAUSE_MS);
  }
  await Bun.sleep(SETTLE_MS);
  Bun.gc(true);
  const { heapSize, objectCount } = heapStats();
  return { heapBytes: heapSize, objects: objectCount, residentBytes: process.memoryUsage.rss() };
}

const COLLECTIONS = 5;
const PAUSE_MS = 20;
/** The allocator returns freed pages to the system about a second later. */
const SETTLE_MS = 2_000;
