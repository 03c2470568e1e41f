// What axe-core finds wrong in a page.

import axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/** What another scheme of colours can change. */
const RULES_OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Whatever axe-core finds, each fault with the first element that has it. `ofColours`: only what depends on colours. */
export async function faultsOf(page: Page | Frame, { ofColours = false } = {}): Promise<string[]> {
  const isLoaded = await page.evaluate(() => "axe" in globalThis);
  if (!isLoaded) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (runOnly) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ["violations"],
        ...(runOnly !== null && { runOnly }),
      }),
    ofColours ? RULES_OF_COLOURS : null,
  );
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.length} times, such as ${nodes[0]?.html}`);
}
