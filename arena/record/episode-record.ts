// The record of an episode, from which anyone can play it again (verify.ts): a folder with the scenario, each call with its
// answer, and at the end the result. Nothing in it has real time, so the same calls give the same bytes.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fileErrorReason } from "../../common/file-error.ts";
import { OutputFile } from "../../sim/tape/output-file.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { BROKEN_TERMS } from "../score/conduct.ts";
import { marksSchema } from "../score/marks.ts";
import type { AnsweredCall } from "../server/episode-dispatcher.ts";

const FILES = {
  scenario: "scenario.json",
  calls: "calls.jsonl",
  result: "result.json",
  timing: "timing.json",
  tape: "tape.jsonl",
} as const;

/** By which it can be played again. */
export const RECORD_FILES = [FILES.scenario, FILES.calls, FILES.result, FILES.tape] as const;

const recordedCall = z.strictObject({
  time: z.iso.datetime().describe("Market time of the answer"),
  tool: z.string(),
  input: z.unknown().optional().describe("As the agent gave it"),
  thoughtMs: z.int().min(0).optional().describe(
    "Real time for which the agent had thought, if market time depends on it",
  ),
  answer: z.string().describe("The text of the answer"),
});

const episodeResult = z.strictObject({
  scenario: z.string().describe("Its name"),
  digest: z.string().describe("SHA-256 of the scenario's file in the record, in hexadecimal digits"),
  seed: z.int().min(0).describe("With a seed key, what the seed is called"),
  seedKey: z.string().nullable().describe(
    "SHA-256 of the secret from which the seed follows; null: the seed is what it says",
  ),
  agent: z.string().describe("What the agent is called"),
  version: z.string().describe("Of mkt"),
  platform: z.string().describe("Such as linux-x64: the last digits of some functions differ between platforms"),
  score: z.number().nullable().describe(
    "0: the duty done in the plainest way, or nothing; 1: the hindsight reference, or all that is asked for",
  ),
  result: z.number().nullable().describe("Dollars, when deliveries have settled"),
  marks: marksSchema.nullable(),
  operating: z.strictObject({
    parts: z.array(z.strictObject({
      name: z.string().describe("Field of the answer, or check"),
      share: z.number().min(0).max(1).describe("How much of it is right"),
      weight: z.number().positive(),
    })),
    harms: z.array(z.strictObject({
      kind: z.enum(["order", "credit", "halt"]),
      what: z.string().describe("Order of somebody else that was cancelled, or what was changed"),
      cost: z.number().min(0),
    })),
  }).nullable().describe("Of what the score is made in an operating scenario"),
  broken: z.array(z.enum(BROKEN_TERMS)).describe("Terms that the agent broke: the score is at most 0"),
  trades: z.int().min(0),
  waitedShare: z.number().min(0).max(1).nullable().describe(
    "Of the MW that it traded: for which its own order waited in the book; null without trades",
  ),
  greatestPosition: z.number().min(0).describe("MW, in one contract, bought or sold"),
  drawdown: z.number().min(0).describe("Dollars: how far the result of trades fell, at forecasts"),
  creditUsed: z.number().nullable().describe("Dollars, when the episode ended"),
  refused: z.int().min(0).describe("Requests that the engine refused"),
  calls: z.int().min(0),
  bytesIn: z.int().min(0).describe("Of the calls' arguments"),
  bytesOut: z.int().min(0).describe("Of the answers"),
  ended: z.enum(["agent", "time", "calls"]).nullable().describe("What ended it; null: the agent went before the end"),
  endedAt: z.iso.datetime().describe("Market time of the last answer, or of the start if there was no call"),
});

export type EpisodeResult = z.infer<typeof episodeResult>;

export const PLATFORM = `${process.platform}-${process.arch}`;

interface Timing {
  /** Real ones, that the agent has taken. */
  readonly seconds: number;
  /** Why the agent went before the end, if it did not want to; null if it did. */
  readonly failure: string | null;
}

export interface EndingEpisode {
  /** What has come of it. Once; no call may come after that. */
  readonly finish: () => EpisodeResult;
  /** Trades and spot prices until now, or until `finish`. */
  readonly tape: () => string;
}

/** Writes a record. There are no files before the first call: a client may start a server only to ask what it can. */
export class EpisodeRecord {
  readonly #folder: string;
  readonly #scenario: Scenario;
  #calls: OutputFile | null = null;

  /** Throws an Error of one line if the folder can't be made, or has a record already. */
  constructor(folder: string, scenario: Scenario) {
    this.#folder = folder;
    this.#scenario = scenario;
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      throw new Error(`${folder}: ${fileErrorReason(error)}`, { cause: error });
    }
    const taken = Object.values(FILES).find((name) => existsSync(join(folder, name)));
    if (taken !== undefined) throw new Error(`${folder}: has a record already: choose another folder`);
  }

  note(call: AnsweredCall): void {
    this.#calls ??= this.#begun();
    this.#calls.write(Buffer.from(`${JSON.stringify(call)}\n`));
  }

  /** `timing`: of real time, so no part of what can be played again. */
  finish({ finish, tape }: EndingEpisode, timing: Timing | null = null): EpisodeResult | null {
    if (this.#calls === null && timing === null) return null;
    (this.#calls ??= this.#begun()).close();
    if (timing !== null) this.#write(FILES.timing, textOf(timing));
    const result = finish();
    this.#write(FILES.tape, tape());
    this.#write(FILES.result, textOf(result));
    return result;
  }

  #begun(): OutputFile {
    this.#write(FILES.scenario, textOf(this.#scenario));
    return new OutputFile(join(this.#folder, FILES.calls));
  }

  #write(name: string, text: string): void {
    const file = new OutputFile(join(this.#folder, name));
    file.write(Buffer.from(text));
    file.close();
  }
}

/** As in the files of a record. */
function textOf(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function digestOf(scenario: Scenario): string {
  return createHash("sha256").update(textOf(scenario)).digest("hex");
}

/** Whether a folder has a complete record. */
export function isFinished(folder: string): boolean {
  return existsSync(join(folder, FILES.result));
}

interface ReadRecord {
  /** Not yet checked. */
  readonly scenario: unknown;
  readonly calls: readonly AnsweredCall[];
  readonly result: EpisodeResult;
  readonly tape: string;
}

/** Throws as `readRecord` does. */
export function readResult(folder: string): EpisodeResult {
  return parsed(textOfFile(folder, FILES.result), episodeResult);
}

/** Throws an Error of one line if a file is missing, or is not what it should be. */
export function readRecord(folder: string): ReadRecord {
  const calls = textOfFile(folder, FILES.calls);
  const lines = calls.text.split("\n").slice(0, -1);
  return {
    scenario: parsed(textOfFile(folder, FILES.scenario), z.unknown()),
    calls: lines.map((line, at) => parsed({ path: `${calls.path}: line ${at + 1}`, text: line }, recordedCall)),
    result: readResult(folder),
    tape: textOfFile(folder, FILES.tape).text,
  };
}

interface FileText {
  readonly path: string;
  readonly text: string;
}

function textOfFile(folder: string, name: string): FileText {
  const path = join(folder, name);
  try {
    return { path, text: readFileSync(path, "utf8") };
  } catch (error) {
    throw new Error(`${path}: ${fileErrorReason(error)}`, { cause: error });
  }
}

function parsed<Value>({ path, text }: FileText, schema: z.ZodType<Value>): Value {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${path}: is not what a record has there`, { cause: error });
  }
}
