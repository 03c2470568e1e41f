// Mutates frames of the protocol, from a seed: cuts, garbles or splices their text, or changes their JSON in one place. Some
// results are not text, some not JSON, some not messages, and some messages that only look valid.

import type { SeededRandom } from "../../../sim/random/seeded-random.ts";

const JUNK: readonly unknown[] = [
  ...[null, true, "", "x".repeat(5_000), "\u0000\ud800", "__proto__"],
  ...[-1, 0.5, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 63],
  ...[[], {}, [[[[[[]]]]]]],
];
/** Deep enough to overflow the stack of a recursive walk. */
const DEEP = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;

/** A mutated copy of the frame; binary if it is not text. */
export function mutated(frame: string, random: SeededRandom): string | Uint8Array<ArrayBuffer> {
  const choice = random.next();
  if (choice < 0.01) return new Uint8Array(random.integer(0, 40));
  if (choice < 0.02) return frame.replace(/\{/, `{"deep":${DEEP},`);
  if (choice < 0.1) return frame.slice(0, random.integer(0, frame.length));
  if (choice < 0.25) return garbled(frame, random);
  if (choice < 0.3) return spliced(frame, random);
  const content: unknown = JSON.parse(frame);
  const steps = random.integer(1, 3);
  let changed = content;
  for (let step = 0; step < steps; step += 1) changed = changedIn(changed, random);
  const text = JSON.stringify(changed);
  return random.next() < 0.05 ? text.replace(/"[a-z]+":/i, '"__proto__":') : text;
}

function garbled(frame: string, random: SeededRandom): string {
  let text = frame;
  for (let count = random.integer(1, 3); count > 0; count -= 1) {
    const at = random.integer(0, text.length);
    text = text.slice(0, at) + String.fromCharCode(random.integer(1, 255)) + text.slice(at + random.integer(0, 2));
  }
  return text;
}

/** A part of the text moved elsewhere. */
function spliced(frame: string, random: SeededRandom): string {
  const from = random.integer(0, frame.length);
  const part = frame.slice(from, from + random.integer(1, 200));
  const to = random.integer(0, frame.length);
  return frame.slice(0, to) + part + frame.slice(to);
}

/** The same value with one thing in it removed, repeated, moved or replaced. */
function changedIn(value: unknown, random: SeededRandom): unknown {
  if (typeof value !== "object" || value === null || random.next() < 0.15) return junk(value, random);
  if (Array.isArray(value)) return changedArray(value, random);
  const keys = Object.keys(value);
  const key = keys[random.integer(0, keys.length - 1)];
  if (key === undefined) return junk(value, random);
  const { [key]: inner, ...rest } = value as Record<string, unknown>;
  const choice = random.next();
  if (choice < 0.15) return rest;
  if (choice < 0.2) return { ...rest, [`${key}2`]: inner };
  return { ...value, [key]: changedIn(inner, random) };
}

function changedArray(items: readonly unknown[], random: SeededRandom): unknown {
  if (items.length === 0) return junk(items, random);
  const at = random.integer(0, items.length - 1);
  const choice = random.next();
  if (choice < 0.15) return items.toSpliced(at, 1);
  if (choice < 0.3) return items.toSpliced(at, 0, items[random.integer(0, items.length - 1)]);
  if (choice < 0.4) return items.toReversed();
  return items.with(at, changedIn(items[at], random));
}

function junk(value: unknown, random: SeededRandom): unknown {
  if (typeof value === "number" && random.next() < 0.5) return value + random.integer(-1_000, 1_000_000_000);
  if (typeof value === "string" && random.next() < 0.5) return value.slice(0, random.integer(0, value.length));
  return JUNK[random.integer(0, JUNK.length - 1)];
}
