// Text that comes from the market (names, notes, reasons, messages of a backend) is data, for a model and for a person at
// a terminal: it must not pose as anything else. Whatever can't be seen is shown escaped, such as \n or \u202e: control
// characters, marks that turn the direction of writing, zero-width characters, tags, line separators, lone surrogates. A
// text of any length is cut, and says by how much.
//
// It is applied to every result of every tool, in core/dispatch/result.ts, and to what is logged. Cost: one look at each string; nothing is copied
// where nothing changes.

import { GREATEST_DEPTH } from "../protocol/limits.ts";

/** Characters (UTF-16 code units) of one text; ids, notes and cursors are shorter. */
export const LONGEST_TEXT = 2000;

const PLAIN = /^[\x20-\x7e]*$/;
const UNSEEN_ONE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;
const UNSEEN = new RegExp(UNSEEN_ONE, "gu");
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One line that shows everything that is in the text, cut at `longest` characters. */
export function safeText(text: string, longest = LONGEST_TEXT): string {
  if (text.length <= longest) return PLAIN.test(text) ? text : escaped(text);
  const kept = text.slice(0, longest);
  return `${escaped(kept)}... (${text.length - kept.length} more characters)`;
}

/** Text of many lines, each of them safe; for content that is no market data by itself, such as a table. */
export function safeLines(text: string): string {
  return text.split("\n").map((line) => escaped(line)).join("\n");
}

/** One line of JSON text, for a log: the same value, with what can't be seen written as JSON escapes. */
export function safeJsonLine(json: string): string {
  return json.replace(
    UNSEEN,
    (character) =>
      Array.from({ length: character.length }, (_, unit) => escapeOf(String.fromCharCode(character.charCodeAt(unit))))
        .join(""),
  );
}

/** A JSON value all of whose texts, and names of properties, are safe. Gives the value itself where they are. */
export function safeValue<Value>(value: Value): Value {
  return isSafe(value, 0) ? value : madeSafe(value, 0) as Value;
}

function isSafe(value: unknown, depth: number): boolean {
  if (typeof value === "string") return value.length <= LONGEST_TEXT && (PLAIN.test(value) || !UNSEEN_ONE.test(value));
  if (typeof value !== "object" || value === null) return true;
  if (depth === GREATEST_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isSafe(item, depth + 1));
  for (const name in value) {
    if (!isSafe(name, depth) || !isSafe(Reflect.get(value, name), depth + 1)) return false;
  }
  return true;
}

function madeSafe(value: unknown, depth: number): unknown {
  if (typeof value === "string") return safeText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === GREATEST_DEPTH) return "(nested too deep)";
  if (Array.isArray(value)) return value.map((item) => madeSafe(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [safeText(name), madeSafe(item, depth + 1)]),
  );
}

function escaped(text: string): string {
  return text.replace(UNSEEN, (character) => SHORT_ESCAPES[character] ?? escapeOf(character));
}

/** As in a program text: \u and four digits, or \u{...} beyond them. */
function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
