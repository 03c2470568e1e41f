// The sections of a checkpoint, as formats 5 and later write them: a part of kind "state" has some sections, each a name
// and items. Other parts are passed on.

import type { JsonObject } from "./journal-content.ts";

export type SavedSection = readonly [name: string, items: readonly unknown[]];

/** Applies `change` to each section. It gives the sections that replace it. */
export function* changeSections(
  parts: Iterable<JsonObject>,
  change: (section: SavedSection) => readonly SavedSection[],
): Generator<JsonObject, void, undefined> {
  for (const part of parts) {
    const { kind, sections } = part;
    if (kind !== "state") yield part;
    else yield { kind, sections: (sections as readonly SavedSection[]).flatMap(change) };
  }
}
