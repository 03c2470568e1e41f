// The JSON text of a value whose texts come from elsewhere, made safe to show as safe-text.ts says.
//
// A look at the finished JSON text tells that nothing needs to change, which is the case for nearly every result. Only
// otherwise the value itself is walked.
// Cost: JSON.stringify and a few native searches of the text, together a fifth more than JSON.stringify alone, or two thirds
// more for long lists. A walk costs more than JSON.stringify, because a result's objects have many shapes.

import { MAX_DEPTH } from "../protocol/limits.ts";
import { MAX_SHOWN_LENGTH, safeValue } from "./safe-text.ts";

interface SafeJson<Value> {
  /** The value itself if it is safe already. */
  readonly value: Value;
  /** `value` as compact JSON text. */
  readonly text: string;
}

interface Serialised {
  readonly text: string;
  /** False if something may be nested deeper than MAX_DEPTH. */
  readonly isShallow: boolean;
}

export function safeJson<Value extends object>(value: Value): SafeJson<Value> {
  const json = serialised(value);
  if (json !== null && json.isShallow && isSafe(json.text)) return { value, text: json.text };
  const safe = safeValue(value);
  return { value: safe, text: safe === value && json !== null ? json.text : JSON.stringify(safe) };
}

/** Null if the value can't be serialised as it is, for example because it contains itself. */
function serialised(value: object): Serialised | null {
  try {
    if (hasLongList(value)) return inParts(value);
    // Undefined if the value's own toJSON gives undefined.
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? null : { text, isShallow: opened(text) <= MAX_DEPTH };
  } catch {
    // safeValue may repair the value. If not, JSON.stringify throws this error again.
    return null;
  }
}

/**
 * A longer list is serialised in parts. The whole text has too many brackets to tell its depth, and above 8 KB JSON.stringify
 * takes twice as long for each item.
 */
const SHORT_LIST = 24;
const PART_ITEMS = 12;

/** Whether the object has a list that is serialised in parts. */
function hasLongList(value: object): boolean {
  if ("toJSON" in value || Array.isArray(value)) return false;
  for (const name in value) if (isLongList((value as Readonly<Record<string, unknown>>)[name])) return true;
  return false;
}

function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > SHORT_LIST && !("toJSON" in value);
}

function inParts(value: object): Serialised {
  const members: string[] = [];
  let isShallow = true;
  const checked = (part: unknown) => {
    const text = JSON.stringify(part) as string | undefined;
    // A part is within the object and perhaps a list.
    if (text !== undefined && opened(text) > MAX_DEPTH - 2) isShallow = false;
    return text;
  };
  for (const [name, member] of Object.entries<unknown>(value as Record<string, unknown>)) {
    const text = isLongList(member) ? `[${partsOf(member, checked).join(",")}]` : checked(member);
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return { text: `{${members.join(",")}}`, isShallow };
}

/** The JSON text of each part of a list, without brackets. */
function partsOf(list: readonly unknown[], jsonOf: (part: readonly unknown[]) => string | undefined): string[] {
  const parts: string[] = [];
  for (let start = 0; start < list.length; start += PART_ITEMS) {
    parts.push(jsonOf(list.slice(start, start + PART_ITEMS))!.slice(1, -1));
  }
  return parts;
}

/** Whether no text in it would be changed. */
function isSafe(text: string): boolean {
  return isPlainAscii(text) && hasShortTexts(text);
}

/** Whether every character is from space to ~ and nothing is escaped. So a quote is always the end of a text. */
function isPlainAscii(text: string): boolean {
  // UTF-8 has one byte for each character only if all are ASCII. JSON escapes the invisible ones, except DEL.
  return Buffer.byteLength(text) === text.length && !text.includes("\\") && !text.includes("\x7f");
}

/** Half of a text that is too long, rounded down: such a text always contains one whole part of this length. */
const STRIDE = Math.floor(MAX_SHOWN_LENGTH / 2);

/** Whether each whole stride of the JSON text has a quote in it. So no text in it is longer than MAX_SHOWN_LENGTH. */
function hasShortTexts(text: string): boolean {
  for (let start = 0; start + STRIDE <= text.length; start += STRIDE) {
    const quote = text.indexOf('"', start);
    if (quote < 0 || quote >= start + STRIDE) return false;
  }
  return true;
}

/** The number of opening brackets, at least as many as levels are nested in each other. Counts no further than needed. */
function opened(text: string): number {
  return count(text, "{") + count(text, "[");
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0 && found <= MAX_DEPTH; at = text.indexOf(character, at + 1)) {
    found += 1;
  }
  return found;
}
