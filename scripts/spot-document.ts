// Writes the plots of docs/spot-model.md, and its table from simulated prices and the statistics of real ones.
// tests/documents checks that they are current.
//
//   bun scripts/spot-document.ts

import { withSection } from "./document-section.ts";
import { spotPlots } from "./spot/plots.ts";
import { statisticsTable } from "./spot/statistics-table.ts";

const DOCS = new URL("../docs/", import.meta.url).pathname;
const DOCUMENT = `${DOCS}spot-model.md`;

/** The document with a new table. */
export function withStatistics(document: string): string {
  return withSection(document, "statistics", statisticsTable());
}

if (import.meta.main) {
  await Bun.write(DOCUMENT, withStatistics(await Bun.file(DOCUMENT).text()));
  for (const [name, svg] of spotPlots()) await Bun.write(`${DOCS}${name}`, svg);
}
