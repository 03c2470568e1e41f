// Pictures of every page of the dashboard, beside a busy simulated market: light and dark, on a phone, a laptop and a wide
// screen.
//
//   bun scripts/screenshots.ts FOLDER            all pictures into this folder
//   bun scripts/screenshots.ts FOLDER --readme   also writes those of the README into docs/images
//
// Market and traders come from a seed, and market time begins at a fixed moment, so the pictures are alike from one run to the
// next. They need Chromium (MKT_CHROMIUM, or the program on the path).

import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { compile } from "./compile.ts";

const CHROMIUM = process.env["MKT_CHROMIUM"] ?? Bun.which("chromium") ?? Bun.which("google-chrome");
const DEMO = ["--preset", "volatile", "--seed", "7", "--speed", "300", "--start", "2026-07-14T13:00:00Z"];
/** Time of the simulation before the first picture, so that charts have something to show. */
const BUSY_MS = 40_000;
/** Time of a page to draw its charts. */
const SETTLING_MS = 2_500;

const CONTRACT = "NORTH-DA-BASE-2026-07-15";
const ENTITY = "RIVERBEND";

/** The address of each page, by the name of its pictures. */
const PAGES = {
  market: "/#/market",
  contract: `/#/contract/${CONTRACT}`,
  glance: "/#/glance",
  spot: "/#/spot",
  entities: "/#/entities",
  entity: `/#/entities/${ENTITY}`,
  simulation: "/#/simulation",
  credit: "/#/credit",
  events: "/#/events",
  past: "/#/past",
} as const;

const WINDOWS = [[390, 844], [1280, 800], [2560, 1300]] as const;
const THEMES = ["light", "dark"] as const;
/** What the README shows, by name in docs/images. */
const README = {
  "dashboard-market": "market-1280-light",
  "dashboard-contract": "contract-1280-dark",
  "dashboard-spot": "spot-1280-light",
} as const;

const { values, positionals: [folder] } = parseArgs({
  options: { readme: { type: "boolean", default: false } },
  allowPositionals: true,
});
if (folder === undefined || CHROMIUM === null) {
  console.error("usage: bun scripts/screenshots.ts FOLDER [--readme], with Chromium on the path");
  process.exit(2);
}

async function startDemo(): Promise<{ url: string; stop: () => Promise<void> }> {
  await compile("dist/mkt");
  const demo = Bun.spawn(["dist/mkt", "demo", "--port", "0", "--engine-port", "0", ...DEMO], {
    stderr: "pipe",
    stdout: "ignore",
  });
  let text = "";
  for await (const part of demo.stderr.pipeThrough(new TextDecoderStream())) {
    text += part;
    const url = /mcp +(http:\S+)\/mcp/.exec(text)?.[1];
    if (url !== undefined) return { url, stop: async () => void (demo.kill(), await demo.exited) };
  }
  throw new Error(`the demo ended:\n${text}`);
}

async function takePictures(browser: Browser, url: string, into: string): Promise<void> {
  for (const theme of THEMES) {
    const page = await browser.newPage({ colorScheme: theme });
    await page.goto(url);
    for (const [name, address] of Object.entries(PAGES)) {
      await page.evaluate((hash) => void (location.hash = hash), address.slice(1));
      for (const [width, height] of WINDOWS) {
        await page.setViewportSize({ width, height });
        await Bun.sleep(SETTLING_MS);
        const file = join(into, `${name}-${width}-${theme}.png`);
        await page.screenshot({ path: file });
        console.log(file);
      }
    }
    await page.close();
  }
}

await mkdir(folder, { recursive: true });
const demo = await startDemo();
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const first = await browser.newPage();
  // It connects the server to the market.
  await first.goto(demo.url);
  await Bun.sleep(BUSY_MS);
  await first.close();
  await takePictures(browser, demo.url, folder);
} finally {
  await browser.close();
  await demo.stop();
}
if (values.readme) {
  await mkdir("docs/images", { recursive: true });
  for (const [name, picture] of Object.entries(README)) {
    await copyFile(join(folder, `${picture}.png`), join("docs/images", `${name}.png`));
  }
}
