// Writes the index of docs/decisions.md: its sections, in their order. A test fails if it is stale.
//
//   bun scripts/decisions-index.ts

import { withSection } from "./document-section.ts";

const DOCUMENT = new URL("../docs/decisions.md", import.meta.url).pathname;
/** Columns of text. */
const WIDTH = 120;

/** The document with an index of the sections that it has. Their names have no punctuation but commas and apostrophes. */
export function withDecisionsIndex(document: string): string {
  const names = [...document.matchAll(/^## (.*)$/gm)].map(([, name = ""]) => name);
  const links = names.map((name) =>
    `[${name}](#${name.toLowerCase().replace(/[^\p{L}\p{N} -]/gu, "").replace(/ /g, "-")})`
  );
  return withSection(
    document,
    "index",
    filled(links.map((link, index) => index < links.length - 1 ? `${link},` : `${link}.`)),
  );
}

/** Lines of at most WIDTH columns. A link is not divided. */
function filled(links: readonly string[]): string {
  return links.reduce((text, link) => {
    const last = text.slice(text.lastIndexOf("\n") + 1);
    return text === "" ? link : `${text}${last.length + link.length < WIDTH ? " " : "\n"}${link}`;
  }, "");
}

if (import.meta.main) await Bun.write(DOCUMENT, withDecisionsIndex(await Bun.file(DOCUMENT).text()));
