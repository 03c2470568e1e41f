import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EpisodeRecord } from "../../../arena/record/episode-record.ts";
import { playedEpisode } from "../../../arena/record/play.ts";
import { verify } from "../../../arena/record/verify.ts";
import type { Scenario } from "../../../arena/scenario/scenario.ts";
import { loadSolver } from "../../../arena/score/programme.ts";
import { PROGRAM } from "../../plugins/support/packs.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { SMALL } from "../small-scenario.ts";

beforeAll(loadSolver);

const SCENARIO: Scenario = { ...SMALL, warmUpMinutes: 1, minutes: 20 };
const SCOPE = { signal: new AbortController().signal, caller: null };

const shared = temporaryDirectory();
let recordings = 0;
let kept: string | null = null;

/** A copy of the folder of an episode. */
async function recorded(): Promise<string> {
  const folder = join(temporaryDirectory(), "record");
  cpSync(kept ??= await recordedAnew(), folder, { recursive: true });
  return folder;
}

/** The folder of an episode with four calls, of which one fails. */
async function recordedAnew(): Promise<string> {
  const folder = join(shared, String(recordings += 1));
  const record = new EpisodeRecord(folder, SCENARIO);
  const onCall = (call: Parameters<typeof record.note>[0]) => record.note(call);
  const episode = playedEpisode({ scenario: SCENARIO, seed: 4, agent: "ann", program: PROGRAM, onCall });
  const { dispatcher } = episode;
  await dispatcher.call("mkt_connect_pubsub", {}, SCOPE);
  await dispatcher.call("mkt_arena_wait", { minutes: 10 }, SCOPE);
  await dispatcher.call("mkt_get_order", { orderId: "none" }, SCOPE);
  await dispatcher.call("mkt_list_orders", undefined, SCOPE);
  record.finish(episode);
  return folder;
}

function edit(folder: string, file: string, change: (text: string) => string): void {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
}

describe("a record", () => {
  test("has the same bytes for the same calls, without real time, and comes out the same", async () => {
    const [one, other] = [await recorded(), await recordedAnew()];
    for (const file of ["scenario.json", "calls.jsonl", "result.json", "tape.jsonl"]) {
      expect(readFileSync(join(one, file), "utf8")).toBe(readFileSync(join(other, file), "utf8"));
    }
    const { result, difference } = await verify(one, PROGRAM);
    expect(difference).toBeNull();
    expect(result).toMatchObject({ scenario: "small", seed: 4, agent: "ann", calls: 4 });
    expect(Date.parse(result.endedAt) - Date.parse(SCENARIO.start)).toBe(10 * 60_000);
  });

  test.each<[string, string, (text: string) => string, RegExp]>([
    ["an answer", "calls.jsonl", (text) => text.replace("600", "601"), /^call 2, mkt_arena_wait: after \d+ characters/],
    [
      "the time of an answer",
      "calls.jsonl",
      (text) => text.replace(":10:00.000Z", ":10:00.001Z"),
      /^call 2, .*answered at/,
    ],
    [
      "an input",
      "calls.jsonl",
      (text) => text.replace('"minutes":10', '"minutes":11'),
      /^call 2, mkt_arena_wait: answered at/,
    ],
    [
      "a tool",
      "calls.jsonl",
      (text) => text.replace('"tool":"mkt_list_orders"', '"tool":"mkt_no_tool"'),
      /^call 4, .*no such tool/,
    ],
    [
      "a call too few",
      "calls.jsonl",
      (text) => `${text.split("\n").slice(0, 3).join("\n")}\n`,
      /^calls: the record has 4, and it is 3/,
    ],
    [
      "the score",
      "result.json",
      (text) => text.replace(/"score": .*,/, '"score": 0.9,'),
      /^score: the record has 0\.9, and it is /,
    ],
    ["the tape", "tape.jsonl", (text) => text.replace(/"price":\d/, '"price":9'), /^the tape is another one/],
    ["the seed", "result.json", (text) => text.replace('"seed": 4', '"seed": 5'), /^call \d+, /],
    ["the end", "result.json", (text) => text.replace(":10:00.000Z", ":11:00.000Z"), /^endedAt: the record has/],
    [
      "the scenario",
      "scenario.json",
      (text) => text.replace('"minutes": 20', '"minutes": 21'),
      /^the scenario is not the one/,
    ],
  ])("in which %s was changed is found", async (_what, file, change, difference) => {
    const folder = await recorded();
    edit(folder, file, change);
    expect((await verify(folder, PROGRAM)).difference).toMatch(difference);
  });

  test("of another version or platform says so beside a difference, and is none by itself", async () => {
    const folder = await recorded();
    edit(
      folder,
      "result.json",
      (text) =>
        text.replace(/"version": "[^"]*"/, '"version": "9.9.9"').replace(/"platform": "[^"]*"/, '"platform": "os-9"'),
    );
    expect((await verify(folder, PROGRAM)).difference).toBeNull();
    edit(folder, "calls.jsonl", (text) => text.replace("600", "601"));
    expect((await verify(folder, PROGRAM)).difference).toMatch(
      /\(the record is of version 9\.9\.9, .*; the record is of os-9, /,
    );
  });

  test.each<[string, (folder: string) => void, RegExp]>([
    ["without a result", (folder) => rmSync(join(folder, "result.json")), /result\.json: no such file or folder$/],
    [
      "with a line that is none",
      (folder) => edit(folder, "calls.jsonl", (text) => `x${text}`),
      /calls\.jsonl: line 1: is not what/,
    ],
    [
      "with a faulty scenario",
      (folder) => edit(folder, "scenario.json", (text) => text.replace('"grade": 1', '"grade": 7')),
      /the scenario: grade: /,
    ],
  ])("%s can't be played", async (_what, spoil, message) => {
    const folder = await recorded();
    spoil(folder);
    await expect(verify(folder, PROGRAM)).rejects.toThrow(message);
  });

  test("is made in no folder that has one, and in none that can't be written", async () => {
    const folder = await recorded();
    expect(() => new EpisodeRecord(folder, SCENARIO)).toThrow(`${folder}: has a record already: choose another folder`);
    const file = join(folder, "result.json");
    expect(() => new EpisodeRecord(join(file, "below"), SCENARIO)).toThrow(/part of the path is not a folder|exists/);
  });
});

test("an episode without a call leaves no record", () => {
  const folder = temporaryDirectory();
  const episode = playedEpisode({ scenario: SCENARIO, seed: 4, agent: "ann", program: PROGRAM, onCall: () => {} });
  new EpisodeRecord(folder, SCENARIO).finish(episode);
  expect(readdirSync(folder)).toEqual([]);
});

test("a call goes on although its client has cancelled it", async () => {
  const times: string[] = [];
  const onCall = ({ time }: { readonly time: string }) => void times.push(time);
  const { dispatcher } = playedEpisode({ scenario: SCENARIO, seed: 4, agent: "ann", program: PROGRAM, onCall });
  await dispatcher.call("mkt_connect_pubsub", {}, SCOPE);
  const cancel = new AbortController();
  const waiting = dispatcher.call("mkt_arena_wait", { minutes: 3 }, { ...SCOPE, signal: cancel.signal });
  cancel.abort();
  expect(await waiting).toMatchObject({ isError: false, value: { ended: "time" } });
  expect(Date.parse(times[1]!) - Date.parse(times[0]!)).toBe(180_000);
});
