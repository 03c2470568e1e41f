// Episodes of baselines in this process, on a small scenario, and what is made of their records.

import { beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BASELINES } from "../../../arena/baselines/index.ts";
import { verify } from "../../../arena/record/verify.ts";
import { baselinePlayer, type Player } from "../../../arena/run/player.ts";
import { episodeJobs, isDone, runEpisode } from "../../../arena/run/run-episode.ts";
import { builtInScenarios } from "../../../arena/scenario/read-scenario.ts";
import { readSeedKey } from "../../../arena/scenario/seed-key.ts";
import type { Scenario } from "../../../arena/scenario/scenario.ts";
import { loadSolver } from "../../../arena/score/programme.ts";
import { PROGRAM } from "../../plugins/support/packs.ts";
import { LONG, size } from "../../support/sizes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { FEW_OTHERS } from "../few-others.ts";
import { SMALL } from "../small-scenario.ts";

beforeAll(loadSolver);

const TOOLS = PROGRAM.packs.flatMap((pack) => pack.tools.map(({ name }) => name));
const SCENARIOS = new Map(
  builtInScenarios(TOOLS).map((scenario): [string, Scenario] => {
    return [scenario.name, { ...scenario, others: FEW_OTHERS, warmUpMinutes: 2, minutes: size(10, 20) }];
  }),
).set(SMALL.name, SMALL);
const baseline = (name: string) => baselinePlayer(BASELINES.find((each) => each.name === name)!);

async function played(name: string, player: Player, out: string, key: string | null = null) {
  const [job] = episodeJobs([SCENARIOS.get(name)!], [7], player.name);
  const seedKey = key === null ? null : readSeedKey(key);
  const result = await runEpisode(job!, { out, player, program: PROGRAM, seedKey });
  return { result, folder: join(out, job!.key) };
}

const KINDS = ["evening-peak", "battery-day", "make-market"];
/** One kind for each baseline, and all in test:long. */
const PLAYED = BASELINES.flatMap(({ name }, at) =>
  KINDS.filter((_, kind) => LONG || kind === at % KINDS.length).map((scenario) => [name, scenario] as const)
);
/** Of all agents that play these scenarios, which share the marks in it. */
const together = temporaryDirectory();

test.each(PLAYED)("the baseline %s plays an episode of %s within its terms", async (name, scenario) => {
  const { result, folder } = await played(scenario, baseline(name), together);
  expect(result).toMatchObject({ broken: [], refused: 0, score: expect.any(Number) });
  expect(JSON.parse(readFileSync(join(folder, "timing.json"), "utf8"))).toMatchObject({ failure: null });
});

test("a record is done once it has a result, and an interrupted one is removed", async () => {
  const player = { ...baseline("nothing"), name: "again" };
  const [job] = episodeJobs([SCENARIOS.get("evening-peak")!], [7], player.name);
  mkdirSync(join(together, job!.key), { recursive: true });
  expect(isDone(together, job!)).toBe(false);
  await played("evening-peak", player, together);
  expect(isDone(together, job!)).toBe(true);
  await expect(played("evening-peak", player, together)).rejects.toThrow("has a record already");
});

test("an agent that fails leaves a record with what it has, and why", async () => {
  const player: Player = { name: "broken", play: () => Promise.resolve("it stopped") };
  const { result, folder } = await played("evening-peak", player, together);
  expect(result).toMatchObject({ calls: 0, ended: null, trades: 0 });
  expect(JSON.parse(readFileSync(join(folder, "timing.json"), "utf8"))).toMatchObject({ failure: "it stopped" });
  expect((await verify(folder, PROGRAM)).difference).toBeNull();
});

test("a record with a seed key is verified with the secret, and by nobody else", async () => {
  const secret = join(temporaryDirectory(), "secret");
  await Bun.write(secret, "a secret that nobody knows");
  const out = temporaryDirectory();
  const { result, folder } = await played("small", baseline("plain"), out, secret);
  expect(result).toMatchObject({ seed: 7, seedKey: readSeedKey(secret).digest });
  await expect(verify(folder, PROGRAM)).rejects.toThrow(/its seed follows from a secret, .* give it by --seed-key$/);
  expect((await verify(folder, PROGRAM, readSeedKey(secret))).difference).toBeNull();
  // The marks of the number as a seed are others, and are not taken for those of the secret's.
  const { result: open } = await played("small", baseline("nothing"), out);
  expect(open.marks).not.toEqual(result.marks);
});
