// Makes external text safe to show to a model or at a terminal: names, notes and reasons from the market, messages of a
// backend. Invisible characters are escaped, such as \n or \u202e: control characters, bidirectional controls, zero-width
// characters, tags, line separators, lone surrogates. Text that is too long is cut, with the number of missing characters.
//
// It is applied to every tool result (core/dispatch/result.ts), to logs and to printed lines. Cost: one scan of each string;
// nothing is copied if nothing changes.

import { MAX_DEPTH } from "../protocol/limits.ts";

/** In UTF-16 code units. Ids, notes and cursors are shorter. */
export const MAX_SHOWN_LENGTH = 2000;

const PLAIN = /^[\x20-\x7e]*$/;
const UNSEEN_ONE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;
const UNSEEN = new RegExp(UNSEEN_ONE, "gu");
const TOO_DEEP = "(nested too deep)";
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The text as one line with every invisible character escaped, cut at `longest` characters. */
export function safeText(text: string, longest = MAX_SHOWN_LENGTH): string {
  if (text.length <= longest) return PLAIN.test(text) ? text : escaped(text);
  const kept = text.slice(0, longest);
  return `${escaped(kept)}... (${text.length - kept.length} more characters)`;
}

/** Like safeText, but keeps line breaks and length; for text that mkt formats itself, such as a table. */
export function safeLines(text: string): string {
  return text.split("\n").map((line) => escaped(line)).join("\n");
}

/** The JSON value with `safeLines` of every string in it. */
export function safeLinesIn<Value>(value: Value): Value {
  return changed(value, (text) => PLAIN.test(text) ? text : safeLines(text), (name) => name) as Value;
}

/** One line of JSON text with the same value, with every invisible character as a JSON escape. */
export function safeJsonLine(json: string): string {
  if (PLAIN.test(json)) return json;
  return json.replace(
    UNSEEN,
    (character) =>
      Array.from({ length: character.length }, (_, unit) => escapeOf(String.fromCharCode(character.charCodeAt(unit))))
        .join(""),
  );
}

/** Compact JSON text of the value, made safe. */
export function safeJson(value: object): string {
  return JSON.stringify(safeValue(value));
}

/** The JSON value with all strings and property names made safe. Returns the value itself if they already are. */
export function safeValue<Value>(value: Value): Value {
  return isSafe(value, 0) ? value : changed(value, safeText, safeText) as Value;
}

function isSafe(value: unknown, depth: number): boolean {
  if (typeof value === "string") {
    return value.length <= MAX_SHOWN_LENGTH && (PLAIN.test(value) || !UNSEEN_ONE.test(value));
  }
  if (typeof value !== "object" || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isSafe(item, depth + 1));
  for (const name in value) {
    if (!isSafe(name, depth) || !isSafe(Reflect.get(value, name), depth + 1)) return false;
  }
  return true;
}

type Change = (text: string) => string;

/** The JSON value with all strings and property names changed. */
function changed(value: unknown, textOf: Change, nameOf: Change, depth = 0): unknown {
  if (typeof value === "string") return textOf(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return TOO_DEEP;
  const inner = (item: unknown) => changed(item, textOf, nameOf, depth + 1);
  if (Array.isArray(value)) return value.map(inner);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [nameOf(name), inner(item)]));
}

function escaped(text: string): string {
  return text.replace(UNSEEN, (character) => SHORT_ESCAPES[character] ?? escapeOf(character));
}

/** A JavaScript escape: \u and four digits, or \u{...} for more digits. */
function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
