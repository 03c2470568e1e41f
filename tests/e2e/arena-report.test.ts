// The page of the arena's report in real Chromium: without a fault of accessibility, on a phone and wide, light and dark, and
// with its episodes open.

import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { BASELINES } from "../../arena/baselines/index.ts";
import { ratingsIn } from "../../arena/report/ratings.ts";
import { reportPage } from "../../arena/report/report-page.ts";
import { baselinePlayer } from "../../arena/run/player.ts";
import { episodeJobs, runEpisode } from "../../arena/run/run-episode.ts";
import { loadSolver } from "../../arena/score/programme.ts";
import { SMALL } from "../arena/small-scenario.ts";
import { PROGRAM } from "../plugins/support/packs.ts";
import { findChromium, startChromium } from "../support/chromium.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { faultsOf } from "./support/accessibility.ts";

const path = findChromium("the test of the arena's report");
const chromium = path === null ? null : await startChromium(path);
const folder = temporaryDirectory();
const page = join(folder, "report.html");

beforeAll(async () => {
  await loadSolver();
  for (const name of ["plain", "nothing"]) {
    const player = baselinePlayer(BASELINES.find((each) => each.name === name)!);
    for (const job of episodeJobs([SMALL], [1], name)) {
      await runEpisode(job, { out: folder, player, program: PROGRAM, seedKey: null });
    }
  }
  await Bun.write(page, reportPage(ratingsIn([folder])));
});

test.skipIf(chromium === null).each(
  [
    [390, "dark"],
    [1280, "light"],
  ] as const,
)(
  "%i pixels wide, %s, it has no fault of accessibility and is no wider than the window",
  async (width, colorScheme) => {
    // axe-core is a script, which the page's own policy does not allow.
    const opening = { width, height: 900, colorScheme, context: { bypassCSP: true } };
    const { page: shown } = await chromium!.open(`file://${page}`, opening);
    const opened = await shown.evaluate(() => {
      const episodes = [...document.querySelectorAll("details")];
      for (const episode of episodes) episode.open = true;
      return episodes.length;
    });
    expect(opened).toBe(2);
    expect(await faultsOf(shown)).toEqual([]);
    const { scrollWidth, clientWidth } = await shown.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    expect(scrollWidth).toBe(clientWidth);
  },
);
