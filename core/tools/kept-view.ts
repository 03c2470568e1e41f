// Views of things that never change, such as an event or one state of a module. What a view shows is kept with its JSON text,
// because tools show the same things again and again: to several clients, and in pages that overlap.
//
// Invariants: a source never changes, and a view depends on nothing else. What is kept is frozen. A text is only kept if it
// needs no closer look (isPlainJson).
// Cost: a look-up instead of a copy and its JSON, twice. For a page of ten events that saves two thirds of the work.
// Limit: each view keeps at most 2 * MOST_KEPT sources, about 1 KB for each order or event. The first ones to go are those
// that were not shown for the longest time.

import { type JsonText, jsonText } from "../../common/json-text.ts";
import { isPlainJson } from "../../common/safe-json.ts";
import { MAX_DEPTH } from "../../protocol/limits.ts";

const MOST_KEPT = 1000;
/** In a result, what is shown is in a list of an object. */
const DEPTH_IN_RESULT = 2;

const texts = new WeakMap<object, JsonText>();

/** The JSON text of what a kept view has shown; undefined for any other value, and if the text is not kept. */
export function keptText(shown: object): JsonText | undefined {
  return texts.get(shown);
}

/** The same view, which gives the same object each time it shows the same source. */
export function keptView<Source extends object, Shown extends object>(
  view: (source: Source) => Shown,
): (source: Source) => Shown {
  let newer = new Map<Source, Shown>();
  let older = new Map<Source, Shown>();
  return (source) => {
    const known = newer.get(source);
    if (known !== undefined) return known;
    const shown = older.get(source) ?? kept(view(source));
    if (newer.size === MOST_KEPT) [older, newer] = [newer, new Map()];
    newer.set(source, shown);
    return shown;
  };
}

function kept<Shown extends object>(shown: Shown): Shown {
  const text = JSON.stringify(shown);
  if (isPlainJson(text, MAX_DEPTH - DEPTH_IN_RESULT)) texts.set(shown, jsonText(text));
  return Object.freeze(shown);
}
