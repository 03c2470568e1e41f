// The texts of the engine's bench without an engine: the parts of which an engine has written them, written once more. What
// this takes is the least that the texts of a call cost in this runtime.

import { TextWriter } from "../../engine/text/text-writer.ts";

/** A part of a text, or its end. */
export type Part = string | null;

/** How the methods of a writer that add to its text are called. */
const ADDING = ["text", "bytes", "copy", "quoted", "number", "decimal", "rounded", "roundedSum"] as const;

/** The parts of all texts that are written during `work`, by any writer. */
export function partsOf(work: () => void): Part[] {
  const parts: Part[] = [];
  let isAdding = false;
  const methods = TextWriter.prototype;
  const restores = ADDING.map((name) => {
    const method = methods[name] as (this: TextWriter, ...given: unknown[]) => void;
    // A method may call another one. Only the outer call is a part.
    replace(name, function (this: TextWriter, ...given) {
      if (isAdding) return method.apply(this, given);
      isAdding = true;
      const start = this.length;
      method.apply(this, given);
      isAdding = false;
      parts.push(this.from(start));
    });
    return () => replace(name, method);
  });
  const { take } = methods;
  replace("take", function (this: TextWriter) {
    parts.push(null);
    return take.call(this);
  });
  try {
    work();
    return parts;
  } finally {
    for (const restore of restores) restore();
    replace("take", take);
  }
}

function replace(name: string, method: (this: TextWriter, ...given: unknown[]) => unknown): void {
  Object.defineProperty(TextWriter.prototype, name, { value: method, configurable: true, writable: true });
}

/** The same parts, with one string for all that are equal: most are constants of the program. */
export function sharedParts(parts: readonly Part[]): Part[] {
  const known = new Map<string, string>();
  return parts.map((part) => part === null ? null : known.getOrInsertComputed(part, () => part));
}

/** Writes the texts. Returns how many characters they have. */
export function writeParts(parts: readonly Part[], writer: Pick<TextWriter, "text" | "take">): number {
  let written = 0;
  for (const part of parts) {
    if (part === null) written += writer.take().length;
    else writer.text(part);
  }
  return written;
}
