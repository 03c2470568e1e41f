// Plays the calls of a record again, and says whether every answer and the result come out byte for byte. That proves what the
// record says of its episode; it does not prove who played.

import type { Program } from "../../core/runtime.ts";
import type { SeedKey } from "../scenario/seed-key.ts";
import { readScenario } from "../scenario/read-scenario.ts";
import { digestOf, type EpisodeResult, PLATFORM, readRecord } from "./episode-record.ts";
import type { AnsweredCall } from "../server/episode-dispatcher.ts";
import { playedEpisode } from "./play.ts";

interface Verification {
  readonly result: EpisodeResult;
  /** The first thing that comes out otherwise, one line; null if nothing does. */
  readonly difference: string | null;
}

const NOBODY_CANCELS = new AbortController().signal;
const EXCERPT_LENGTH = 200;

/** Throws an Error of one line if the folder has no record, or one whose scenario can't be played. */
export async function verify(folder: string, program: Program, seedKey: SeedKey | null = null): Promise<Verification> {
  const { scenario: json, calls, result, tape } = readRecord(folder);
  const tools = program.packs.flatMap((pack) => pack.tools.map(({ name }) => name));
  const read = readScenario(json, tools);
  if (!read.ok) throw new Error(`${folder}: the scenario: ${read.faults.join("; ")}`);
  const { scenario } = read;
  if (digestOf(scenario) !== result.digest) return { result, difference: "the scenario is not the one of the result" };
  if (result.seedKey !== null && result.seedKey !== seedKey?.digest) {
    throw new Error(
      `${folder}: its seed follows from a secret, whose SHA-256 is ${result.seedKey}: give it by --seed-key`,
    );
  }
  const answered: AnsweredCall[] = [];
  const { seed, agent } = result;
  const usedKey = result.seedKey === null ? null : seedKey;
  const onCall = (call: AnsweredCall) => void answered.push(call);
  const thought = () => calls[answered.length]?.thoughtMs ?? 0;
  const episode = playedEpisode({ scenario, seed, seedKey: usedKey, agent, program, thought, onCall });
  for (const [at, call] of calls.entries()) {
    await episode.dispatcher.call(call.tool, call.input, { signal: NOBODY_CANCELS, caller: null });
    const difference = differenceOf(call, answered[at]);
    if (difference !== null) {
      return { result, difference: `call ${at + 1}, ${call.tool}: ${difference}${notes(result, program)}` };
    }
  }
  const again = episode.finish();
  if (episode.tape() !== tape) return { result, difference: `the tape is another one${notes(result, program)}` };
  const other = (Object.keys(again) as (keyof EpisodeResult)[]).find((name) =>
    name !== "version" && name !== "platform" && !Bun.deepEquals(again[name], result[name])
  );
  const difference = other === undefined
    ? null
    : `${other}: the record has ${JSON.stringify(result[other])}, and it is ${JSON.stringify(again[other])}`;
  return { result, difference };
}

function differenceOf(call: AnsweredCall, again: AnsweredCall | undefined): string | null {
  if (again === undefined) return "there is no such tool in the episode";
  if (call.time !== again.time) return `answered at ${again.time} instead of ${call.time}`;
  if (call.answer === again.answer) return null;
  let at = 0;
  while (call.answer[at] === again.answer[at]) at += 1;
  const [was, is] = [call.answer, again.answer].map((answer) => JSON.stringify(answer.slice(at, at + EXCERPT_LENGTH)));
  return `after ${at} characters the answer is ${is} instead of ${was}`;
}

/** What may be the cause of a difference. */
function notes({ version, platform }: EpisodeResult, program: Program): string {
  const causes = [
    version !== program.version && `the record is of version ${version}, and this is ${program.version}`,
    platform !== PLATFORM && `the record is of ${platform}, and this is ${PLATFORM}`,
  ].filter((cause) => cause !== false);
  return causes.length === 0 ? "" : ` (${causes.join("; ")})`;
}
