import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BASELINES } from "../../../arena/baselines/index.ts";
import { Seat } from "../../../arena/baselines/seat.ts";
import { EpisodeRecord } from "../../../arena/record/episode-record.ts";
import { playedEpisode } from "../../../arena/record/play.ts";
import { verify } from "../../../arena/record/verify.ts";
import { PROGRAM } from "../../plugins/support/packs.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { QUICK, scenarioNamed } from "./support.ts";

/** The folder of an episode that the expert has played. */
async function recorded(): Promise<string> {
  const folder = join(temporaryDirectory(), "record");
  const scenario = { ...scenarioNamed("lost-answer"), ...QUICK };
  const record = new EpisodeRecord(folder, scenario);
  const onCall = (call: Parameters<typeof record.note>[0]) => record.note(call);
  const episode = playedEpisode({ scenario, seed: 7, agent: "ann", program: PROGRAM, onCall });
  await BASELINES.find((each) => each.name === "expert")!.play(new Seat(episode.dispatcher, 7));
  record.finish(episode);
  return folder;
}

test("the record of an operating episode has the same bytes for the same calls, and is verified", async () => {
  const [one, other] = [await recorded(), await recorded()];
  for (const file of ["scenario.json", "calls.jsonl", "result.json"]) {
    expect(readFileSync(join(one, file), "utf8")).toBe(readFileSync(join(other, file), "utf8"));
  }
  const { result, difference } = await verify(one, PROGRAM);
  expect({ difference, score: result.score }).toEqual({ difference: null, score: 1 });

  const path = join(other, "result.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"share": 1', '"share": 0.5'));
  expect((await verify(other, PROGRAM)).difference).toMatch(/^operating: the record has /);
});
