// What a study is: the file study.json of its folder. Every machine that works on the study writes the same bytes, so folders
// can be copied over one another, and a folder of another study is recognised.
//
// It has digests in place of the paths of market and strategy files, because paths differ between machines.

import { createHash } from "node:crypto";
import { z } from "zod";
import { oneLine } from "../../common/command-line.ts";
import { isBuiltInMarket } from "../../engine/definition/built-in-markets.ts";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { experiment as schema } from "../experiment/experiment.ts";
import { variantsOf } from "../experiment/grid.ts";
import type { CompleteExperiment } from "../experiment/resolve-experiment.ts";
import { seedsOf } from "../experiment/resolve-experiment.ts";
import { gridOf } from "../experiment/variants.ts";
import { addedStrategyFiles } from "../outside/strategies/strategy-files.ts";
import { TAPE_FORMATS, type TapeFormat } from "../tape/tape-directory.ts";
import { type Job, jobsOf, seedText } from "./study-jobs.ts";

const description = z.looseObject({
  mkt: z.string(),
  tape: z.enum(TAPE_FORMATS).nullable(),
  experiment: z.looseObject({
    seed: z.int(),
    seeds: schema.shape.seeds,
    vary: schema.shape.vary,
  }),
});

export type StudyDescription = z.output<typeof description>;

interface DescribedStudy {
  readonly version: string;
  readonly experiment: CompleteExperiment;
  readonly definition: MarketDefinition;
  /** Null if the jobs have no tapes. */
  readonly tape: TapeFormat | null;
  /** The command that starts the agents of a run, and their number; null or absent without agents. */
  readonly agents?: { readonly command: string; readonly count: number } | null;
}

const MOST_DIFFERENCES = 3;
const LONGEST_VALUE = 100;

export function studyDescription(
  { version, experiment, definition, tape, agents = null }: DescribedStudy,
): StudyDescription {
  const { description: _forReaders, market, seeds: _, ...settings } = experiment;
  const seeds = seedsOf(experiment);
  const strategies = addedStrategyFiles().map(({ strategy, sha256 }) => [strategy, `sha256 ${sha256}`]);
  return asJson({
    mkt: version,
    tape,
    experiment: {
      ...settings,
      seeds: seeds.length === 0 ? null : seedText(seeds),
      market: isBuiltInMarket(market) ? market : `sha256 ${digestOf(JSON.stringify(definition))}`,
    },
    ...(strategies.length === 0 ? {} : { strategies: Object.fromEntries(strategies) }),
    ...(agents === null ? {} : { agents }),
  }) as StudyDescription;
}

/** Throws an Error of one line if the text describes no study. */
export function readDescription(text: string): StudyDescription {
  try {
    const json: unknown = JSON.parse(text);
    description.parse(json);
    // As it is written: the order of a grid counts.
    return json as StudyDescription;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) throw new Error("does not describe a study");
    throw error;
  }
}

/** The jobs of the study that it describes. */
export function jobsOfStudy({ experiment }: StudyDescription): readonly Job[] {
  const seeds = seedsOf(experiment);
  return jobsOf(variantsOf(gridOf(experiment)), seeds.length === 0 ? [experiment.seed] : seeds);
}

export function descriptionText(study: StudyDescription): string {
  return `${JSON.stringify(study, null, 2)}\n`;
}

export function descriptionDigest(study: StudyDescription): string {
  return digestOf(descriptionText(study));
}

/** What differs between two studies, in words; null if nothing does. */
export function studyDifference(there: StudyDescription, here: StudyDescription): string | null {
  const found = differences(there, here, []);
  if (found.length === 0) return null;
  const more = found.length - MOST_DIFFERENCES;
  return [...found.slice(0, MOST_DIFFERENCES), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function differences(there: unknown, here: unknown, path: readonly string[]): string[] {
  if (JSON.stringify(there) === JSON.stringify(here)) return [];
  if (!isObject(there) || !isObject(here)) {
    return [`${path.join(".")} is ${valueText(there)} there, ${valueText(here)} here`];
  }
  const names = new Set([...Object.keys(there), ...Object.keys(here)]);
  const found = [...names].flatMap((name) => differences(there[name], here[name], [...path, name]));
  // The same settings in another order: the order of a grid is the order of its jobs.
  return found.length > 0 ? found : [`${path.join(".")} has another order`];
}

function valueText(value: unknown): string {
  const text = value === undefined ? "absent" : JSON.stringify(value);
  return oneLine(text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}...`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Without members that are undefined, as it is read again. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
