// The processor time of the dashboard's stream: a scripted load of events a second on core's event buffer and snapshot, without
// a page, with one, and with twenty. The pages are in a process of their own, and count what they get.
//
//   bun bench/dashboard.ts [--seconds N] [--rate EVENTS]
//
// Exit status 1 if a page gets an event twice, or not at all.

import { join } from "node:path";
import type { Load, Measured } from "./dashboard/server.ts";
import type { Following, Read } from "./dashboard/pages.ts";
import { aligned, grouped, threeDigits } from "./table.ts";

const SERVER = join(import.meta.dir, "dashboard/server.ts");
const PAGES = join(import.meta.dir, "dashboard/pages.ts");
const WARM_SECONDS = 3;

/** What is measured, one after the other in one server. */
const ROUNDS: readonly (Omit<Following, "url"> & { readonly name: string })[] = [
  { name: "no page", pages: 0, query: "" },
  { name: "1 page", pages: 1, query: "" },
  { name: "20 pages", pages: 20, query: "" },
  { name: "20 pages that watch a contract and its events", pages: 20, query: "?contract=contract-1&events=watched" },
  { name: "20 pages without events", pages: 20, query: "?events=none" },
];

interface Child<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  end(): void;
}

function started<Question, Answer>(path: string): Child<Question, Answer> {
  let settle: (answer: Answer) => void = () => {};
  const child = Bun.spawn([process.execPath, path], {
    stdout: "inherit",
    stderr: "inherit",
    ipc: (message) => settle(message as Answer),
  });
  return {
    ask: (question) =>
      new Promise((resolve) => {
        settle = resolve;
        child.send(question);
      }),
    end: () => child.kill(),
  };
}

async function measured(
  { pages, query }: (typeof ROUNDS)[number],
  server: Child<"measure", Measured>,
  { url, seconds }: { readonly url: string; readonly seconds: number },
) {
  const readers = started<Following | "read", Read>(PAGES);
  await readers.ask({ url, pages, query });
  await Bun.sleep(WARM_SECONDS * 1_000);
  await readers.ask("read");
  await server.ask("measure");
  await Bun.sleep(seconds * 1_000);
  const usage = await server.ask("measure");
  const read = await readers.ask("read");
  readers.end();
  return { usage, read };
}

async function main(args: readonly string[]): Promise<number> {
  const option = (name: string, otherwise: number) =>
    args.includes(name) ? Number(args[args.indexOf(name) + 1]) : otherwise;
  const seconds = option("--seconds", 10);
  const rate = option("--rate", 10_000);
  const server = started<Load | "measure", Measured>(SERVER);
  const { url } = await server.ask({ rate });
  const rows: string[][] = [];
  let faults = 0;
  let missed = 0;
  for (const round of ROUNDS) {
    const { usage, read } = await measured(round, server, { url, seconds });
    faults += read.faults;
    missed += read.missed;
    rows.push([
      round.name,
      threeDigits(usage.processorMs / usage.seconds),
      threeDigits(read.bytes / Math.max(1, round.pages) / usage.seconds / 1e6),
      threeDigits(read.updates / Math.max(1, round.pages) / usage.seconds),
      grouped(Math.round(read.events / Math.max(1, round.pages) / usage.seconds)),
      grouped(Math.round(usage.residentBytes / 1e6)),
    ]);
  }
  server.end();
  const header = ["pages", "processor ms / s", "MB / s", "updates / s", "events / s", "memory, MB"];
  console.log(`${grouped(rate)} events a second. MB, updates and events are those of one page.\n`);
  console.log(aligned(header, rows));
  if (missed > 0) console.log(`\nThe pages were too slow for ${grouped(missed)} events.`);
  if (faults > 0) console.error(`${faults} updates did not follow on the one before`);
  return faults > 0 ? 1 : 0;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
