// Runs all benches, or the named ones, and prints their tables.
//
//   bun run bench [NAME ...] [--write]
//
// --write also puts the tables of all benches into bench/README.md. Exit status 1 if a case fails its check, 2 for an
// unknown name.

import { withSection } from "../scripts/document-section.ts";
import book from "./book.ts";
import bookOperations from "./book-operations.ts";
import coldStart from "./cold-start.ts";
import credit from "./credit.ts";
import dispatch from "./dispatch.ts";
import engine from "./engine.ts";
import eventBuffer from "./event-buffer.ts";
import { measure } from "./measurement.ts";
import memory from "./memory.ts";
import orderBookRead from "./order-book-read.ts";
import reading from "./reading.ts";
import simulator from "./simulator.ts";
import snapshot from "./snapshot.ts";
import spot from "./spot.ts";
import type { StandaloneBench, Suite } from "./suite.ts";
import { tablesOf } from "./table.ts";

export const SUITES: readonly Suite[] = [
  bookOperations,
  eventBuffer,
  orderBookRead,
  snapshot,
  credit,
  dispatch,
  coldStart,
];
/** Benches that don't use mitata. */
export const STANDALONE_BENCHES: readonly StandaloneBench[] = [reading, book, engine, memory, simulator, spot];
const NAMES = [...SUITES, ...STANDALONE_BENCHES].map(({ name }) => name);
const README = new URL("README.md", import.meta.url).pathname;

export function withFigures(readme: string, figures: string): string {
  return withSection(readme, "figures", figures);
}

async function main(args: readonly string[]): Promise<number> {
  const names = args.filter((argument) => argument !== "--write");
  const writes = args.includes("--write");
  const unknown = names.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0 || (writes && names.length > 0)) {
    console.error(`usage: bun run bench [${NAMES.join(" | ")} ...], or --write alone`);
    return 2;
  }
  const chosen = <Named extends { name: string }>(all: readonly Named[]) =>
    names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  const standalone = chosen(STANDALONE_BENCHES).map(({ tables }) => tables());
  const figures = [tablesOf(await measure(chosen(SUITES))), ...standalone].join("\n\n");
  console.log(figures);
  if (writes) await Bun.write(README, withFigures(await Bun.file(README).text(), figures));
  return 0;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
