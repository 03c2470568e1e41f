// What records of episodes say of agents: intervals, ranks and differences, as text, JSON, a page, and a leaderboard.

import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BASELINES } from "../../../arena/baselines/index.ts";
import { verify } from "../../../arena/record/verify.ts";
import { significanceOf } from "../../../arena/report/bootstrap.ts";
import { courseOf } from "../../../arena/report/course.ts";
import { writeLeaderboard } from "../../../arena/report/leaderboard.ts";
import { ratingsIn } from "../../../arena/report/ratings.ts";
import { ratingsJson, ratingsText } from "../../../arena/report/ratings-text.ts";
import { reportPage } from "../../../arena/report/report-page.ts";
import { baselinePlayer } from "../../../arena/run/player.ts";
import { episodeJobs, runEpisode } from "../../../arena/run/run-episode.ts";
import { loadSolver } from "../../../arena/score/programme.ts";
import { wellFormed } from "../../common/plot/support.ts";
import { PROGRAM } from "../../plugins/support/packs.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { SMALL } from "../small-scenario.ts";

const out = temporaryDirectory();
/** Few minutes: what is said of a record does not depend on them. */
const SHORT = { ...SMALL, minutes: 10 };
const AGENTS = ["plain", "nothing", "twap"];
const SEEDS = [1, 2];
const folderOf = (agent: string, seed: number, of = out) => join(of, "small", String(seed), agent);

beforeAll(async () => {
  await loadSolver();
  for (const agent of AGENTS) {
    const player = baselinePlayer(BASELINES.find(({ name }) => name === agent)!);
    for (const job of episodeJobs([SHORT], SEEDS, agent)) {
      await runEpisode(job, { out, player, program: PROGRAM, seedKey: null });
    }
  }
});

/** Changes a record's result. */
async function change(folder: string, changes: object): Promise<void> {
  const path = join(folder, "result.json");
  const result = JSON.parse(readFileSync(path, "utf8"));
  await Bun.write(path, `${JSON.stringify({ ...result, ...changes }, null, 2)}\n`);
}

/** A copy of all records, in which agents have other scores. */
async function withScores(scores: Readonly<Record<string, readonly number[]>>): Promise<string> {
  const copy = temporaryDirectory();
  cpSync(out, copy, { recursive: true });
  for (const [agent, values] of Object.entries(scores)) {
    for (const [at, score] of values.entries()) await change(folderOf(agent, SEEDS[at]!, copy), { score });
  }
  return copy;
}

test("p is the share of the flips of signs that give as large a mean", () => {
  expect(significanceOf([1, 1, 1])).toBe(2 / 8);
  expect(significanceOf([1, -1])).toBe(1);
  expect(significanceOf([0])).toBe(1);
  const many = Array.from({ length: 40 }, (_, at) => at % 4 === 0 ? -1 : 1);
  expect(significanceOf(many)).toBeLessThan(0.01);
  expect(significanceOf(many.map((_, at) => at % 2 === 0 ? 1 : -1))).toBe(1);
});

describe("ratings", () => {
  test("show agents by their scores, and how far each is behind the next better one", async () => {
    const [rated] = ratingsIn([await withScores({ plain: [0.2, 0.4], twap: [0.6, 0.7], nothing: [-1, -3] })]);
    const [best, second, last] = rated!.ratings;
    expect(rated!.ratings.map(({ agent }) => agent)).toEqual(["twap", "plain", "nothing"]);
    expect(best).toMatchObject({ mean: expect.closeTo(0.65), ranks: [1, 1], behind: null });
    expect(second!.behind!.mean).toBeCloseTo(-0.35);
    expect(last).toMatchObject({ mean: -2, interval: { low: -3, high: -1 }, ranks: [3, 3] });
    // Two of the four flips of two differences are as far from 0.
    expect(last!.behind!.significance).toBe(0.5);
  });

  test("whose draws go either way have several ranks, and no significance", async () => {
    const [rated] = ratingsIn([await withScores({ plain: [0, 1], twap: [1, 0.1] })]);
    const [best, second] = rated!.ratings;
    expect([best!.ranks, second!.ranks]).toEqual([[1, 2], [1, 2]]);
    expect(second!.behind!.significance).toBeGreaterThan(0.2);
    expect(second!.behind!.seedsNeeded).toBeGreaterThan(100);
  });

  test("of one seed have no interval", () => {
    const [rated] = ratingsIn([folderOf("plain", 1), folderOf("nothing", 1)]);
    for (const { interval, behind } of rated!.ratings) {
      expect([interval, behind?.interval ?? null]).toEqual([null, null]);
    }
  });

  test("list scores above 1 with their cause", async () => {
    const folder = await withScores({ plain: [1.5, 0], twap: [0, 0] });
    for (
      const [waitedShare, cause] of [[0.75, "it earned the spread (75 %"], [
        0.25,
        "others sent new orders after it had taken theirs (25 %",
      ]] as const
    ) {
      await change(folderOf("plain", 1, folder), { waitedShare });
      expect(ratingsText(ratingsIn([folder]))).toContain(
        `\n\nabove 1: plain, seed 1, 1.500: ${cause} of its MW came to orders`,
      );
    }
  });

  test("without a record are an error", () => {
    expect(() => ratingsIn([temporaryDirectory()])).toThrow("has no complete record of an episode");
  });

  test("as JSON have every result", () => {
    const { scenarios: [small] } = JSON.parse(ratingsJson(ratingsIn([out])));
    expect(small.scenario).toBe("small");
    const { episodes } = small.agents.find(({ agent }: { agent: string }) => agent === "plain");
    expect(episodes).toEqual(
      SEEDS.map((seed) => JSON.parse(readFileSync(join(folderOf("plain", seed), "result.json"), "utf8"))),
    );
  });
});

test("the course of an episode has the agent's orders, position and result", () => {
  const { contractId, buyOrders, sellOrders, positions, results } = courseOf(folderOf("plain", 1));
  expect(contractId).toStartWith("NORTH-MO-BASE");
  expect([buyOrders.length > 0, sellOrders.length]).toEqual([true, 0]);
  const { greatestPosition } = JSON.parse(readFileSync(join(folderOf("plain", 1), "result.json"), "utf8"));
  expect(Math.max(0, ...positions.map(([, megawatts]) => megawatts))).toBeLessThanOrEqual(greatestPosition);
  expect(results).toHaveLength(positions.length);
});

test("the page is whole, needs nothing else, and is the same for the same records", () => {
  const page = reportPage(ratingsIn([out]));
  wellFormed(page.replace("<!DOCTYPE html>", ""));
  expect(page).not.toMatch(/<script|src="|href="http/);
  expect(page).toContain("<h1>Arena: 3 agents in 1 scenarios</h1>");
  for (const agent of AGENTS) expect(page).toContain(`<bdi>${agent}</bdi>`);
  expect(reportPage(ratingsIn([out]))).toBe(page);
});

test("what an agent has written stays text on the page", async () => {
  const folder = await withScores({});
  const path = join(folderOf("plain", 1, folder), "calls.jsonl");
  const call = {
    time: "2026-03-02T19:00:00.000Z",
    tool: "mkt_arena_brief",
    input: { note: "<script>alert(1)</script>" },
    answer: "</table>",
  };
  await Bun.write(path, `${JSON.stringify(call)}\n`);
  const page = reportPage(ratingsIn([folder]));
  wellFormed(page.replace("<!DOCTYPE html>", ""));
  expect(page).not.toContain("<script");
});

describe("a leaderboard", () => {
  const difference = async (folder: string) => (await verify(folder, PROGRAM)).difference;

  test("has the page, all results, and records that hold by their digests; what does not hold is left out", async () => {
    const folder = await withScores({ twap: [0.99] });
    // Each is played again, which takes long.
    for (const agent of ["plain", "nothing"]) rmSync(folderOf(agent, 1, folder), { recursive: true });
    const board = join(temporaryDirectory(), "board");
    const leftOut = await writeLeaderboard({ folders: [folder], out: board, difference });
    expect(leftOut).toEqual([{ record: join("small", "1", "twap"), reason: expect.stringContaining("score") }]);
    expect(readdirSync(board).toSorted()).toEqual(["index.html", "records", "records.sha256", "report.json"]);
    const page = readFileSync(join(board, "index.html"), "utf8");
    wellFormed(page.replace("<!DOCTYPE html>", ""));
    expect(page).toContain("<bdi>small/1/twap</bdi>");
    const sums = readFileSync(join(board, "records.sha256"), "utf8").trim().split("\n");
    expect(sums).toHaveLength(4 * AGENTS.length);
    for (const line of sums) {
      const [digest = "", path = ""] = line.split("  ");
      expect(new Bun.CryptoHasher("sha256").update(readFileSync(join(board, path))).digest("hex")).toBe(digest);
    }
    expect((await verify(join(board, "records/small/2/twap"), PROGRAM)).difference).toBeNull();
  });

  test("takes a record once, and never replaces a folder", async () => {
    const board = join(temporaryDirectory(), "board");
    const leftOut = await writeLeaderboard({ folders: [folderOf("plain", 1), out], out: board });
    expect(leftOut).toEqual([{
      record: join("small", "1", "plain"),
      reason: expect.stringContaining("is a second record of it"),
    }]);
    await expect(writeLeaderboard({ folders: [out], out: board })).rejects.toThrow(board);
  });
});
