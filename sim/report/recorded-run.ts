// A run as a report shows it: what it was, its own report, what is summed up of its tape, and its stylised facts. It is
// recorded while the run goes, or read from a tape. Both give the same.

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fileErrorReason } from "../../common/file-error.ts";
import { builtInMarketNamed } from "../../engine/definition/built-in-markets.ts";
import { loadDefinition } from "../../engine/definition/load-definition.ts";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import { factsOf, type PresetFigure, presetFigures } from "../facts/run-facts.ts";
import { TapeCollector } from "../facts/tape-collector.ts";
import type { HeadlessReport } from "../headless/headless-report.ts";
import { spotNodes } from "../spot/market-spot.ts";
import { NodeCalendars } from "../spot/node-calendars.ts";
import { REPORT_FILE, RUN_FILE } from "../tape/tape-directory.ts";
import { TABLE_NAMES, type TapeRows, toAll } from "../tape/tables.ts";
import { RunDigest } from "./run-digest.ts";
import { feedRows } from "./tape-rows.ts";

const description = z.looseObject({
  version: z.string(),
  command: z.string(),
  seed: z.number(),
  startedAt: z.iso.datetime({ offset: true }),
  endedAt: z.iso.datetime({ offset: true }),
  hours: z.number(),
  steps: z.number(),
  experiment: z.looseObject({ name: z.string(), description: z.string().optional(), market: z.string() }),
});

/** What run.json says of a run. */
export type RunDescription = z.output<typeof description>;

export interface RecordedRun {
  readonly description: RunDescription;
  readonly report: HeadlessReport;
  readonly definition: MarketDefinition;
  readonly timezone: string;
  readonly digest: RunDigest;
  /** Of this run alone. */
  readonly facts: readonly PresetFigure[];
}

/** Facts need every quote in memory, so they are measured on the beginning of a long run. */
export const FACT_HOURS = 72;

export class RunRecorder {
  readonly rows: TapeRows;
  readonly #digest: RunDigest;
  readonly #collector: TapeCollector;

  /** `bookAt`: hours after the start at which books are shown; null: beginning, middle and end. */
  constructor(
    private readonly definition: MarketDefinition,
    private readonly start: number,
    bookAt: readonly number[] | null,
  ) {
    this.#digest = new RunDigest({
      start,
      timezone: timezoneOf(definition),
      calendars: NodeCalendars.of(definition),
      nodes: spotNodes(definition),
      bookTimes: bookAt?.map((hours) => start + hours * HOUR_MS) ?? null,
    });
    this.#collector = new TapeCollector(start + FACT_HOURS * HOUR_MS);
    this.rows = toAll([this.#digest, this.#collector]);
  }

  finish(description: RunDescription, report: HeadlessReport): RecordedRun {
    const end = Date.parse(description.endedAt);
    this.#digest.finish(end);
    const tape = this.#collector.tape(this.definition, this.start, end);
    return {
      description,
      report,
      definition: this.definition,
      timezone: timezoneOf(this.definition),
      digest: this.#digest,
      facts: presetFigures([factsOf({ preset: description.experiment.name, seed: description.seed, tape })]),
    };
  }
}

interface TapeOfRun {
  readonly directory: string;
  readonly description: RunDescription;
  readonly definition: MarketDefinition;
  /** Of all tables. */
  readonly bytes: number;
}

/** Throws an Error of one line if the directory has no whole tape in CSV that can be read. */
export function tapeOfRun(directory: string): TapeOfRun {
  const path = join(directory, RUN_FILE);
  if (!existsSync(path)) {
    throw new Error(
      existsSync(directory)
        ? `tape ${directory}: it has no ${RUN_FILE}, so it is no tape or was cut short: record the run again`
        : `tape ${directory}: no such folder`,
    );
  }
  const run = jsonIn(directory, RUN_FILE);
  const { format } = run as { readonly format?: unknown };
  if (format !== "csv") {
    throw new Error(
      `tape ${directory}: it is written as ${format}; reports are made of csv tapes: record the run with --tape-format csv, ` +
        "or make the report with mkt simulate --report",
    );
  }
  const read = description.safeParse(run);
  if (!read.success || !existsSync(join(directory, REPORT_FILE))) {
    throw new Error(`tape ${directory}: another version of mkt wrote it: record the run again`);
  }
  const bytes = TABLE_NAMES.reduce((sum, table) => sum + sizeOf(join(directory, `${table}.csv`)), 0);
  return { directory, description: read.data, definition: definitionOf(directory, read.data), bytes };
}

/** Throws an Error of one line if a table can't be read. `onBytes`: bytes read so far. */
export function readRun(
  { directory, description, definition }: TapeOfRun,
  bookAt: readonly number[] | null,
  onBytes: (done: number) => void = () => {},
): RecordedRun {
  const recorder = new RunRecorder(definition, Date.parse(description.startedAt), bookAt);
  try {
    feedRows(directory, recorder.rows, onBytes);
  } catch (error) {
    throw new Error(`tape ${directory}: it can't be read: ${fileErrorReason(error)}`, { cause: error });
  }
  return recorder.finish(description, jsonIn(directory, REPORT_FILE) as HeadlessReport);
}

function jsonIn(directory: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(directory, name), "utf8"));
  } catch (error) {
    throw new Error(`tape ${directory}: ${name} can't be read: ${fileErrorReason(error)}`, { cause: error });
  }
}

function definitionOf(directory: string, { experiment: { market } }: RunDescription): MarketDefinition {
  const builtIn = builtInMarketNamed(market);
  if (builtIn !== null) return builtIn;
  const loaded = loadDefinition(market);
  if (loaded.ok) return loaded.definition;
  throw new Error(`tape ${directory}: its market file ${market} is needed: ${loaded.faults.join("; ")}`);
}

/** Of times on the page, which name it: that of the first market. */
function timezoneOf({ markets: [market] }: MarketDefinition): string {
  return market?.timezone ?? "UTC";
}

/** Bytes; 0 if the file is missing. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
