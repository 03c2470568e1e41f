// The pictures of docs/arena.md: scores, an episode, and the page on a phone.
//
//   mkt arena run evening-peak --baseline NAME --seeds 201..220 --out RECORDS    for each baseline to be shown
//   bun scripts/arena-pictures.ts RECORDS
//
// They need Chromium (MKT_CHROMIUM, or the program on the path).

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ratingsIn } from "../arena/report/ratings.ts";
import { reportPage } from "../arena/report/report-page.ts";

const CHROMIUM = process.env["MKT_CHROMIUM"] ?? Bun.which("chromium") ?? Bun.which("chromium-headless-shell");
const IMAGES = new URL("../docs/images/", import.meta.url).pathname;
/** `opened`: the number of the episode that is open, from 0, and at which the picture begins; null: none. */
const PICTURES = [
  { name: "arena-scores", width: 1000, height: 620, theme: "light", opened: null },
  { name: "arena-episode", width: 1000, height: 760, theme: "light", opened: 2 },
  { name: "arena-phone", width: 390, height: 700, theme: "dark", opened: null },
] as const;

const [folder] = process.argv.slice(2);
if (folder === undefined || CHROMIUM === null) {
  console.error("usage: bun scripts/arena-pictures.ts RECORDS, with Chromium on the path");
  process.exit(2);
}

const temporary = await mkdtemp(join(tmpdir(), "mkt-pictures-"));
const browser = await chromium.launch({ executablePath: CHROMIUM });
try {
  const file = join(temporary, "report.html");
  await Bun.write(file, reportPage(ratingsIn([folder])));
  for (const { name, width, height, theme, opened } of PICTURES) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
    const page = await context.newPage();
    await page.goto(`file://${file}`);
    await page.evaluate((number) => {
      if (number === null) return;
      const episode = document.querySelectorAll("details")[number];
      if (episode === undefined) return;
      episode.open = true;
      episode.scrollIntoView();
    }, opened);
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
    await context.close();
  }
} finally {
  await browser.close();
  await rm(temporary, { recursive: true });
}
