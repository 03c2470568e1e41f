// Plays one episode from its beginning to its end, and leaves its record.

import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Program } from "../../core/runtime.ts";
import { EpisodeRecord, type EpisodeResult, isFinished } from "../record/episode-record.ts";
import { playedEpisode } from "../record/play.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { SeedKey } from "../scenario/seed-key.ts";
import type { AnsweredCall } from "../server/episode-dispatcher.ts";
import type { Job } from "../../sim/study/study-jobs.ts";
import { keptMarks } from "./kept-marks.ts";
import type { Player } from "./player.ts";

/** One agent, one scenario, one seed: a job whose key is its folder in that of the run. */
export interface EpisodeJob extends Job {
  readonly scenario: Scenario;
}

interface EpisodeRun {
  /** The folder of all records. */
  readonly out: string;
  readonly player: Player;
  readonly program: Program;
  readonly seedKey: SeedKey | null;
}

/** In the order of the scenarios, and of the seeds within one. */
export function episodeJobs(scenarios: readonly Scenario[], seeds: readonly number[], agent: string): EpisodeJob[] {
  const pairs = scenarios.flatMap((scenario) => seeds.map((seed) => ({ scenario, seed })));
  return pairs.map(({ scenario, seed }, index) => {
    return { index, key: join(scenario.name, String(seed), agent), variant: [], scenario, seed };
  });
}

/** Whether its record is complete. What is left of an episode that was interrupted is removed. */
export function isDone(out: string, { key }: EpisodeJob): boolean {
  const folder = join(out, key);
  if (isFinished(folder)) return true;
  rmSync(folder, { recursive: true, force: true });
  return false;
}

/** Throws an Error of one line if its record can't be written. The solver must be loaded. */
export async function runEpisode(
  { key, scenario, seed }: EpisodeJob,
  { out, player, program, seedKey }: EpisodeRun,
): Promise<EpisodeResult> {
  const marks = keptMarks(join(out, dirname(key)), scenario, seed, seedKey, program);
  const record = new EpisodeRecord(join(out, key), scenario);
  const onCall = (call: AnsweredCall) => record.note(call);
  const episode = playedEpisode({ scenario, seed, seedKey, marks, agent: player.name, program, onCall });
  const began = Bun.nanoseconds();
  const failure = await player.play(episode, seed, episode.brief);
  const seconds = (Bun.nanoseconds() - began) / 1e9;
  return record.finish(episode, { seconds, failure })!;
}
