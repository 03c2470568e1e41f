// The arena in other harnesses, by the compiled executable: trainers by OpenEnv, and tasks of Harbor, whose processes are
// started here as their compose file says.

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BASELINES } from "../../arena/baselines/index.ts";
import { baselinePlayer } from "../../arena/run/player.ts";
import { episodeJobs, runEpisode } from "../../arena/run/run-episode.ts";
import { loadSolver } from "../../arena/score/programme.ts";
import { SocketClient } from "../arena/openenv/support.ts";
import { SMALL, SMALL_SCENARIO } from "../arena/small-scenario.ts";
import { PROGRAM } from "../plugins/support/packs.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { MKT, startMkt } from "../support/executable.ts";
import { run } from "../support/processes.ts";
import { findPython } from "../support/python.ts";
import { LONG, size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const EXAMPLES = resolve(import.meta.dir, "../../docs/examples");
const folder = temporaryDirectory();
const scenario = join(folder, "small.json");
await Bun.write(scenario, JSON.stringify(SMALL_SCENARIO));

const python = findPython("tests of training in Python");
const curl = Bun.which("curl");
if (curl === null) {
  if (process.env["MKT_TEST_ALL"] === "1") throw new Error("MKT_TEST_ALL=1, but there is no program curl");
  console.log("skipped: the test of a task of Harbor needs the program curl");
}

describe("mkt arena serve --openenv", () => {
  test("plays an episode over a WebSocket, in a thread of its own", async () => {
    // Without this variable it begins anew with it.
    const command = ["env", "-u", "MIMALLOC_PURGE_DELAY", MKT];
    const server = startMkt(["arena", "serve", "--openenv", "--port", "0", "--scenarios", scenario], {}, command);
    const [, url = ""] = await server.untilStderr(/OpenEnv at (\S+), simulation mode, 1 scenarios/);
    const client = await SocketClient.open(url);
    await client.reset({ seed: 7 });
    if (process.platform === "linux") {
      const environment = readFileSync(`/proc/${server.pid}/environ`, "utf8").split("\0");
      expect(environment.filter((each) => each.startsWith("MIMALLOC_PURGE_DELAY"))).toEqual([
        "MIMALLOC_PURGE_DELAY=-1",
      ]);
    }
    const { data: { observation } } = await client.call("mkt_arena_brief");
    expect(observation.result.data.scenario).toBe("small");
    const { data: { done, reward } } = await client.call("mkt_arena_submit");
    expect([done, (await client.ask({ type: "state" })).data.score]).toEqual([true, reward]);
    client.close();
    if (python !== null) {
      const trained = await run([python, join(EXAMPLES, "arena_training.py"), url, String(size(4, 200))]);
      expect(trained).toMatchObject({ exitCode: 0, stderr: "" });
      const means = [...trained.stdout.matchAll(/mean reward (-?[\d.]+)/g)].map(([, mean]) => Number(mean));
      expect(means).toHaveLength(4);
      if (LONG) expect(means.at(-1)).toBeGreaterThan(means[0]!);
    }
    expect(await server.stop()).toBe(0);
  });

  test.each([
    [["--seed", "1", "--openenv"], "--seed: not with --openenv"],
    [["small", "--openenv"], "scenario: not with --openenv"],
    [["--openenv", "--scenarios", "none"], 'scenario: there is no "none"'],
    [["evening-peak", "--reward", "final"], "--reward: needs --openenv"],
    [["evening-peak", "--max-sessions", "3"], "--max-sessions: needs --openenv"],
    [["evening-peak", "--judge", "0"], "--judge: needs --http"],
    [["evening-peak", "--http", "0", "--judge", "0"], "--judge: needs --judge-token-file"],
    [["evening-peak", "--http", "0", "--no-token", "--token-file", "x"], "--token-file: not with --no-token"],
    [[], "scenario: give a name"],
  ])("%j is refused", async (args, fault) => {
    const { exitCode, stderr } = await runMktHere(["arena", "serve", ...args]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`mkt: ${fault}`)]);
  });
});

describe("a task of mkt arena export --format harbor", () => {
  /** Scores of baselines on the same seed, to compare with. */
  async function scoreOf(baseline: string): Promise<number> {
    await loadSolver();
    const player = baselinePlayer(BASELINES.find(({ name }) => name === baseline)!);
    const [job] = episodeJobs([SMALL], [7], player.name);
    const { score } = await runEpisode(job!, { out: join(folder, "scores"), player, program: PROGRAM, seedKey: null });
    return score!;
  }

  /** The reward that the verifier writes after `agent` has played. */
  async function rewardAfter(task: string, agent: (judge: string) => Promise<unknown>): Promise<number> {
    // deno-lint-ignore no-explicit-any
    const compose = Bun.YAML.parse(await Bun.file(join(task, "environment/docker-compose.yaml")).text()) as any;
    const { command, environment } = compose.services.mkt;
    const here = command.map((word: string) =>
      word.replace(/\/(scenario.json|judge-token)$/, `${task}/environment/$1`).replace("0.0.0.0", "127.0.0.1")
        .replace(/^--(http|judge)=.*/, "--$1=0")
    );
    const sidecar = startMkt(here, environment);
    const [, judge = ""] = await sidecar.untilStderr(/the judge is at (\S+)/);
    await agent(judge);
    const logs = join(temporaryDirectory(), "verifier");
    const verified = await run(["/bin/sh", join(task, "tests/test.sh")], {
      env: { LOGS_DIR: logs, JUDGE_URL: judge },
    });
    expect(verified).toMatchObject({ exitCode: 0, stderr: "" });
    expect(readdirSync(logs).toSorted()).toEqual(["result.json", "reward.txt"]);
    expect(await sidecar.stop()).toBe(0);
    return Number(await Bun.file(join(logs, "reward.txt")).text());
  }

  test.skipIf(curl === null)(
    "gives the solution the expert's reward, and nobody without its token (long: an agent that does nothing gets less)",
    async () => {
      const out = join(folder, "tasks");
      const exported = await runMktHere(["arena", "export", scenario, "--seeds", "7", "--out", out]);
      expect(exported).toEqual({ exitCode: 0, stdout: "", stderr: `mkt: 1 tasks are in ${out}\n` });
      const task = join(out, "small-7");
      const strangers: number[] = [];
      const look = async (judge: string) => {
        for (const path of ["/reward", "/result"]) strangers.push((await fetch(`${judge}${path}`)).status);
      };
      const solve = async (judge: string) => {
        await look(judge);
        await run(["/bin/sh", join(task, "solution/solve.sh")], { env: { JUDGE_URL: judge } });
      };
      const expected = await scoreOf("expert");
      expect(await rewardAfter(task, solve)).toBe(expected);
      expect(strangers).toEqual([401, 401]);
      // In every run, tests/arena/run has what an agent that does nothing gets.
      if (LONG) {
        const least = await scoreOf("nothing");
        expect(least).toBeLessThan(expected);
        expect(await rewardAfter(task, look)).toBe(least);
      }
      const again = await runMktHere(["arena", "export", scenario, "--seeds", "7", "--out", out]);
      expect([again.exitCode, again.stderr]).toEqual([1, `mkt: ${task}: exists already: choose another --out\n`]);
    },
  );
});
