// Which of many values a person may mean by the text typed so far, best first: for completions. Case does not matter.
//
// A value matches if each typed word is somewhere in its names. The best match has the whole text as its id; then come ids
// that begin with it, names that begin with it, names with words that begin with the typed ones, and all others. Equal
// matches keep the order of the candidates.
// Cost: a search through the names of each candidate, for each typed word. Whoever asks chooses the words, so a text that is
// longer than any id matches nothing.

import { MAX_ID_LENGTH } from "../../protocol/limits.ts";

export interface Candidate {
  /** What is completed: an id. */
  readonly value: string;
  /** What else a person may type: code, name, date. */
  readonly names: readonly string[];
}

/** The values of the candidates that match; all of them if nothing was typed. */
export function bestMatches(typed: string, candidates: readonly Candidate[]): string[] {
  return bestOf(typed, candidates).map(({ value }) => value);
}

/** The same for candidates with more than a value. */
export function bestOf<Item extends Candidate>(typed: string, candidates: readonly Item[]): Item[] {
  const text = typed.trim().toLowerCase();
  if (text.length > MAX_ID_LENGTH) return [];
  const words = text.split(/\s+/).filter((word) => word !== "");
  return candidates
    .map((candidate) => ({ candidate, rank: rankOf(candidate, text, words) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ candidate }) => candidate);
}

const NO_MATCH = 5;

function rankOf({ value, names }: Candidate, text: string, words: readonly string[]): number {
  const id = value.toLowerCase();
  if (id === text) return 0;
  if (id.startsWith(text)) return 1;
  const others = names.map((name) => name.toLowerCase());
  if (others.some((name) => name.startsWith(text))) return 2;
  const all = [id, ...others].join("\n");
  if (!words.every((word) => all.includes(word))) return NO_MATCH;
  return words.every((word) => beginsWord(all, word)) ? 3 : 4;
}

/** Whether the word follows a character that is no letter and no digit. */
function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)) return true;
  }
  return false;
}
