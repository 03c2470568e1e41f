// Plays an episode: starts it, and says what comes of it.

import type { Program } from "../../core/runtime.ts";
import { isoTime } from "../../common/iso-time.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { startEpisode } from "../start-episode.ts";
import { digestOf, type EpisodeResult, PLATFORM } from "./episode-record.ts";
import type { AnsweredCall } from "../server/episode-dispatcher.ts";

interface PlayedEpisodeOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  /** What the agent is called. */
  readonly agent: string;
  readonly program: Program;
  /** Gets each call when it has been answered. */
  readonly onCall: (call: AnsweredCall) => void;
}

/** An episode that an agent plays. `result` gives its result as of now. Throws what `startEpisode` throws. */
export function playedEpisode({ scenario, seed, agent, program, onCall }: PlayedEpisodeOptions) {
  let calls = 0;
  const { world, entityId, dispatcher, offers, ended } = startEpisode(scenario, seed, program, (call) => {
    calls += 1;
    onCall(call);
  });
  const result = (): EpisodeResult => ({
    scenario: scenario.name,
    digest: digestOf(scenario),
    seed,
    agent,
    version: program.version,
    platform: PLATFORM,
    calls,
    ended: ended(),
    result: entityId === null ? null : world.resultOf(entityId) ?? null,
    endedAt: isoTime(world.now),
  });
  return { dispatcher, offers, result };
}
