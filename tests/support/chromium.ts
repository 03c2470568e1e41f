// A real Chromium for tests of web pages, without a window. One browser serves a file, and each page of a test has cookies and
// storage of its own.
//
// A page that logs an error, throws, fails a request or asks another host fails its test.

import { expect } from "bun:test";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { atEnd } from "./at-end.ts";

/**
 * The programs that Linux distributions name so, and the variable for all others. The first is Chromium without a user
 * interface, which takes two thirds of the processor time.
 */
const CANDIDATES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** Nothing that a browser does by itself: no requests home, no sandbox, which containers don't allow, no GPU. */
const ARGUMENTS = [
  ...[
    "--no-sandbox",
    "--disable-gpu",
    "--disable-gpu-compositing",
    "--disable-software-rasterizer",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
  ],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/** As long as other tests wait (until.ts). */
const PATIENCE_MS = 600_000;

/**
 * The path of the browser: MKT_CHROMIUM if it is set. Null if there is none; `skipped` says what doesn't run without it.
 * With MKT_TEST_ALL that is an error instead.
 */
export function findChromium(skipped: string): string | null {
  const given = process.env["MKT_CHROMIUM"];
  const path = given ?? CANDIDATES.map((name) => Bun.which(name)).find((found) => found !== null) ?? null;
  if (path !== null) return path;
  if (process.env["MKT_TEST_ALL"] === "1") throw new Error("MKT_TEST_ALL=1, but there is no program chromium");
  console.log(`skipped: ${skipped} need the program chromium, or its path in MKT_CHROMIUM`);
  return null;
}

/** Starts the browser of a file; call it at the top of the file. It ends with the file. */
export async function startChromium(executablePath: string): Promise<Chromium> {
  // The browser reads commands from a pipe, and ends when the pipe does, so it can't outlive this process.
  const signals = { handleSIGHUP: false, handleSIGINT: false, handleSIGTERM: false };
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS, timeout: PATIENCE_MS, ...signals });
  atEnd(() => browser.close());
  return new Chromium(browser);
}

interface PageOptions {
  /** CSS pixels. */
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** More hosts that the page may ask, such as `127.0.0.1:4080`. */
  readonly hosts?: readonly string[];
  readonly context?: BrowserContextOptions;
}

/** A page, and what went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the console, exceptions, failed requests, and requests to other hosts, so far. */
  readonly faults: readonly string[];
  /** The test does not fail for faults that match. */
  expect(fault: RegExp): void;
}

export class Chromium {
  constructor(readonly browser: Browser) {}

  /**
   * Opens `url` in a browser context of its own. It closes with the test, or with the file, which fails if there are faults.
   */
  async open(url: string, options: PageOptions = {}): Promise<WatchedPage> {
    const { width = 1280, height = 800, colorScheme = "light", hosts = [] } = options;
    const context = await this.browser.newContext({ viewport: { width, height }, colorScheme, ...options.context });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const watched = watch(page, context, [new URL(url).host, ...hosts]);
    atEnd(async () => {
      await context.close();
      const { faults, expected } = watched;
      expect(faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)))).toEqual([]);
    });
    await page.goto(url);
    return watched;
  }
}

function watch(
  page: Page,
  context: BrowserContext,
  hosts: readonly string[],
): WatchedPage & { readonly expected: readonly RegExp[] } {
  const faults: string[] = [];
  const expected: RegExp[] = [];
  let isClosing = false;
  context.on("close", () => (isClosing = true));
  const report = (fault: string) => {
    if (!isClosing) faults.push(fault);
  };
  page.on("console", (message) => {
    const { url } = message.location();
    if (message.type() === "error") report(`console: ${message.text()} (${url})`);
  });
  page.on("pageerror", (error) => report(`exception: ${error.stack ?? error.message}`));
  page.on("requestfailed", (request) => {
    const { errorText = "" } = request.failure() ?? {};
    // The page itself ended it, for example a stream, or left while it was under way.
    if (errorText !== "net::ERR_ABORTED") report(`failed: ${request.method()} ${request.url()}: ${errorText}`);
  });
  context.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    const isInside = protocol === "data:" || protocol === "blob:";
    if (!isInside && !hosts.includes(host)) report(`another host: ${request.method()} ${request.url()}`);
  });
  return { page, context, faults, expected, expect: (fault) => void expected.push(fault) };
}
