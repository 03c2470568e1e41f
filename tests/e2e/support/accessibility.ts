// What axe-core finds wrong in a page.

import axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/** Faults that axe-core calls serious or critical, each with the first element that has it. */
export async function seriousFaults(page: Page | Frame): Promise<string[]> {
  const isLoaded = await page.evaluate(() => "axe" in globalThis);
  if (!isLoaded) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] })
  );
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.length} times, such as ${nodes[0]?.html}`);
}
