// The JSON text of a value whose texts come from elsewhere, made safe to show as safe-text.ts says.
//
// A look at the finished JSON text tells that nothing needs to change, which is the case for nearly every result. Only
// otherwise the value itself is walked.
// Cost: JSON.stringify and a few native searches of the text, together a tenth more than JSON.stringify alone. A walk costs
// several times as much, because a result's objects have many shapes.

import { MAX_DEPTH } from "../protocol/limits.ts";
import { MAX_SHOWN_LENGTH, safeValue } from "./safe-text.ts";

export interface SafeJson<Value> {
  /** The value itself if it is safe already. */
  readonly value: Value;
  /** `value` as compact JSON text. */
  readonly text: string;
}

export function safeJson<Value extends object>(value: Value): SafeJson<Value> {
  const text = jsonOf(value);
  if (text !== null && isPlainAscii(text) && hasShortTexts(text) && isShallow(text)) return { value, text };
  const safe = safeValue(value);
  return { value: safe, text: safe === value && text !== null ? text : JSON.stringify(safe) };
}

/** Null if the value can't be serialised as it is, for example because it contains itself. */
function jsonOf(value: object): string | null {
  try {
    // Undefined if the value's own toJSON gives undefined.
    return (JSON.stringify(value) as string | undefined) ?? null;
  } catch {
    // safeValue may repair the value. If not, JSON.stringify throws this error again.
    return null;
  }
}

/** Whether every character is from space to ~ and nothing is escaped. So a quote is always the end of a text. */
function isPlainAscii(text: string): boolean {
  // UTF-8 has one byte for each character only if all are ASCII. JSON escapes the invisible ones, except DEL.
  return Buffer.byteLength(text) === text.length && !text.includes("\\") && !text.includes("\x7f");
}

/** Half of a text that is too long, rounded down: such a text always contains one whole part of this length. */
const PART = Math.floor(MAX_SHOWN_LENGTH / 2);

/** Whether each whole part of the JSON text has a quote in it. So no text in it is longer than MAX_SHOWN_LENGTH. */
function hasShortTexts(text: string): boolean {
  for (let start = 0; start + PART <= text.length; start += PART) {
    const quote = text.indexOf('"', start);
    if (quote < 0 || quote >= start + PART) return false;
  }
  return true;
}

/** Whether the text has so few opening brackets that nothing in it can be nested deeper than MAX_DEPTH. */
function isShallow(text: string): boolean {
  let opened = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++opened > MAX_DEPTH) return false;
    }
  }
  return true;
}
