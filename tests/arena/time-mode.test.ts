// The three ways in which market time passes for an agent.

import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { EpisodeRecord } from "../../arena/record/episode-record.ts";
import { playedEpisode } from "../../arena/record/play.ts";
import { verify } from "../../arena/record/verify.ts";
import { type TimeMode, timeMode } from "../../arena/scenario/time-mode.ts";
import { loadSolver } from "../../arena/score/programme.ts";
import { Stopwatch } from "../../arena/server/call-time.ts";
import { PROGRAM } from "../plugins/support/packs.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { SMALL } from "./small-scenario.ts";

beforeAll(loadSolver);

const SCOPE = { signal: new AbortController().signal, caller: null };

/** Plays some calls; gives the market time of each answer, in seconds since the beginning, and the folder of the record. */
async function played(time: TimeMode, thoughts: readonly number[] = []) {
  const scenario = { ...SMALL, warmUpMinutes: 1, minutes: 10, time };
  const folder = join(temporaryDirectory(), "record");
  const record = new EpisodeRecord(folder, scenario);
  const times: number[] = [];
  const left = [...thoughts];
  const episode = playedEpisode({
    scenario,
    seed: 3,
    agent: "ann",
    program: PROGRAM,
    ...(thoughts.length > 0 && { thought: () => left.shift() ?? 0 }),
    onCall: (call) => {
      record.note(call);
      times.push((Date.parse(call.time) - Date.parse(scenario.start)) / 1000);
    },
  });
  for (const tool of ["mkt_connect_pubsub", "mkt_connection_status", "mkt_list_orders"]) {
    await episode.dispatcher.call(tool, {}, SCOPE);
  }
  await episode.dispatcher.call("mkt_arena_wait", { minutes: 1 }, SCOPE);
  record.finish(episode);
  return { times, folder };
}

describe("market time", () => {
  test("stands still between waits if nothing else is said", async () => {
    expect((await played({ mode: "turns" })).times).toEqual([0, 0, 0, 60]);
  });

  test("passes in each call, 2 s by default, and otherwise for some tools", async () => {
    const mode = timeMode.parse({ mode: "calls", byTool: { mkt_list_orders: 10 } });
    const { times, folder } = await played(mode);
    expect(times).toEqual([2, 4, 14, 76]);
    expect((await verify(folder, PROGRAM)).difference).toBeNull();
  });

  test("passes while the agent thinks, and a record keeps for how long", async () => {
    const { times, folder } = await played({ mode: "thinking", factor: 2 }, [500, 1_000, 0, 3_000]);
    expect(times).toEqual([1, 3, 3, 69]);
    expect((await verify(folder, PROGRAM)).difference).toBeNull();
  });
});

test("a thought begins with the answer before it, and takes no time on a clock that stands", () => {
  let now = 5;
  const watch = new Stopwatch(() => now);
  now = 12;
  expect(watch.thought()).toBe(7);
  watch.answered();
  expect(watch.thought()).toBe(0);
  now = 14.4;
  expect(watch.thought()).toBe(2);
});
