// What tests see of the dashboard in a browser, beside what it shows.

import type { Page } from "playwright-core";

/** What the page counts of its stream (web/dashboard/live/stream.ts). */
export interface Facts {
  readonly received: number;
  readonly duplicates: number;
  readonly missed: number;
  readonly gaps: number;
  readonly epoch: number | null;
  readonly sequence: number;
  readonly wholes: number;
  readonly connects: number;
  readonly contact: string;
}

/** Null before the page's script has run. */
export async function factsOf(page: Page): Promise<Facts> {
  return await page.evaluate(() => ({ ...(globalThis as unknown as { mktDashboard: Facts }).mktDashboard }));
}

/** Shows another page of the dashboard, as a click on a link would: without a reload. */
export async function show(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), address);
}

/** Call it before the page is opened. Gives the durations of tasks of more than 50 ms since the last call, ms. */
export async function watchLongTasks(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { longTasks: tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: "longtask" });
  });
  return () => page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks.splice(0));
}

/**
 * Call it before the page is opened. Counts the updates that come to the page, and tells after how many of them the page has
 * first shown `text`.
 */
export async function countUpdates(page: Page, text: string) {
  await page.addInitScript((text) => {
    const counted = { updates: 0, shown: null as number | null };
    Object.assign(globalThis, { counted });
    const Shared = globalThis.SharedWorker;
    globalThis.SharedWorker = class extends Shared {
      constructor(...given: ConstructorParameters<typeof Shared>) {
        super(...given);
        this.port.addEventListener("message", ({ data }) => void (counted.updates += data.text === null ? 0 : 1));
      }
    };
    const look = () => {
      if (document.body?.innerText.includes(text)) counted.shown ??= counted.updates;
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, text);
  type Counted = { counted: { updates: number; shown: number | null } };
  const counted = () => page.evaluate(() => (globalThis as unknown as Counted).counted);
  return {
    soFar: async () => (await counted()).updates,
    /** Null: not yet. */
    untilShown: async () => (await counted()).shown,
  };
}
