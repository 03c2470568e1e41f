// Plays an episode: starts it, and says what comes of it.

import type { Program } from "../../core/runtime.ts";
import { isoTime } from "../../common/iso-time.ts";
import type { SeedKey } from "../scenario/seed-key.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { resultOf } from "../score/account.ts";
import { marksFor, startEpisode } from "../start-episode.ts";
import type { Marks } from "../score/marks.ts";
import { settledResult, tradingScore } from "../score/trading-score.ts";
import type { Episode } from "../server/open-episode.ts";
import { digestOf, type EndingEpisode, type EpisodeResult, PLATFORM } from "./episode-record.ts";
import type { World } from "../world/world.ts";
import type { Thought } from "../server/call-time.ts";
import type { AnsweredCall } from "../server/episode-dispatcher.ts";

interface PlayedEpisodeOptions {
  readonly scenario: Scenario;
  /** With a seed key, what the seed is called. */
  readonly seed: number;
  readonly seedKey?: SeedKey | null;
  /** What the agent is called. */
  readonly agent: string;
  readonly program: Program;
  /** Of the scenario and seed, if they are known already. */
  readonly marks?: Marks | null | undefined;
  /** For how long the agent has thought before its next call; default: as a clock says. */
  readonly thought?: Thought;
  /** Gets each call when it has been answered. */
  readonly onCall: (call: AnsweredCall) => void;
}

export interface PlayedEpisode extends Pick<Episode, "dispatcher" | "offers" | "ended">, EndingEpisode {
  readonly brief: string;
  /** Market time, in milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * What the agent has earned until now at public forecasts, in units of the scenario's floor; in an operating scenario its
   * score. Not after `finish`.
   */
  readonly earned: () => number;
  /** Makes ready what the score is set against, which takes seconds. `finish` does it if nobody did. */
  readonly prepareScore: () => void;
}

/** An episode that an agent plays. Throws what `startEpisode` throws. The solver must be loaded. */
export function playedEpisode(options: PlayedEpisodeOptions): PlayedEpisode {
  const { scenario, seed: called, seedKey = null, agent, program, onCall } = options;
  const seed = seedKey === null ? called : seedKey.seedOf(called);
  let [calls, bytesIn, bytesOut] = [0, 0, 0];
  const noted = (call: AnsweredCall) => {
    calls += 1;
    bytesIn += Buffer.byteLength(JSON.stringify(call.input ?? {}));
    bytesOut += Buffer.byteLength(call.answer);
    onCall(call);
  };
  const episode = startEpisode(scenario, seed, program, { onCall: noted, thought: options.thought });
  const { world, mandate, contracts, conduct, tape, operatingScore, dispatcher, offers, ended } = episode;
  const start = world.now;
  let { marks } = options;
  const { entityId, terms } = mandate;
  const earned = unlessUnchanged(world, () => {
    if (entityId === null || terms === null) return operatingScore()?.score ?? 0;
    return resultOf(world, entityId, terms, contracts) / terms.floor;
  });
  const prepareScore = () => void (marks ??= marksFor(scenario, seed));
  const finish = (): EpisodeResult => {
    prepareScore();
    const end = world.now;
    tape.end();
    const whatEnded = ended();
    const creditUsed = (entityId === null ? undefined : world.engine.positions(entityId))?.totals.creditUsed ?? null;
    const operating = operatingScore();
    const settled = entityId === null || terms === null
      ? null
      : { result: settledResult({ world, entityId, terms, contracts, start, minutes: scenario.minutes }), terms };
    return {
      scenario: scenario.name,
      digest: digestOf(scenario),
      seed: called,
      seedKey: seedKey?.digest ?? null,
      agent,
      version: program.version,
      platform: PLATFORM,
      score: settled && marks
        ? tradingScore(settled.result, marks, settled.terms, conduct.broken)
        : operating?.score ?? null,
      result: settled?.result ?? null,
      marks: marks ?? null,
      operating: operating && { parts: [...operating.parts], harms: [...operating.harms] },
      broken: [...conduct.broken],
      trades: conduct.trades,
      waitedShare: conduct.waitedShare,
      greatestPosition: conduct.greatestPosition,
      drawdown: conduct.drawdown,
      creditUsed,
      refused: world.refusedOf(mandate.userId),
      calls,
      bytesIn,
      bytesOut,
      ended: whatEnded,
      endedAt: isoTime(end),
    };
  };
  const now = () => world.now;
  return {
    dispatcher,
    offers,
    ended,
    brief: mandate.brief,
    now,
    earned,
    prepareScore,
    finish,
    tape: () => tape.text,
  };
}

/** `value`, computed again only if market time has passed or the engine has done something. */
function unlessUnchanged(world: World, value: () => number): () => number {
  const { engine } = world.engine;
  let [time, sequence, known] = [NaN, NaN, NaN];
  return () => {
    if (world.now !== time || engine.sequence !== sequence) {
      [time, sequence, known] = [world.now, engine.sequence, value()];
    }
    return known;
  };
}
