// Writes the table of stylised facts and the pictures of docs/simulator.md from scripts/facts/measured-facts.json.
// tests/documents checks that they are current, and test:long that the figures are those of the model.
//
//   bun scripts/facts-document.ts [--measure [--seeds N] [--jobs N]]
//
// --measure measures the figures first: three presets with the first 20 or N of the seeds.

import { parseArgs } from "node:util";
import { withSection } from "./document-section.ts";
import { MEASURED_SEEDS, type MeasuredFacts, measuredTable, measureFacts } from "./facts/measured-facts.ts";
import measured from "./facts/measured-facts.json" with { type: "json" };
import { pictures } from "./facts/pictures.ts";
import { spotFacts, spotTable } from "./facts/spot-facts.ts";

const DOCS = new URL("../docs/", import.meta.url).pathname;
const MEASURED = new URL("facts/measured-facts.json", import.meta.url).pathname;
const DOCUMENT = `${DOCS}simulator.md`;

/** The document with a new table. */
export function withFacts(document: string, facts: MeasuredFacts = measured): string {
  const spot = spotTable(spotFacts(MEASURED_SEEDS));
  return withSection(document, "facts", `${measuredTable(facts)}\n\n${spot}`);
}

/** Contents by file name in docs. */
export function factPictures(facts: MeasuredFacts = measured): ReadonlyMap<string, string> {
  return pictures(facts.pictures);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      measure: { type: "boolean", default: false },
      jobs: { type: "string", default: "1" },
      seeds: { type: "string", default: "20" },
    },
  });
  const facts = values.measure ? await measureFacts(Number(values.seeds), Number(values.jobs)) : measured;
  if (values.measure) await Bun.write(MEASURED, `${JSON.stringify(facts)}\n`);
  await Bun.write(DOCUMENT, withFacts(await Bun.file(DOCUMENT).text(), facts));
  for (const [name, svg] of factPictures(facts)) await Bun.write(`${DOCS}${name}`, svg);
}
