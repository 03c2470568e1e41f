// Checks the shape of a message before other code reads it: depth, number of values, and well-formed texts. JSON.parse
// accepts any depth, and the code after it may recurse.

import { isDeeperThan } from "../../../protocol/json.ts";

interface ShapeLimits {
  readonly depth: number;
  readonly values: number;
}

/** The fault, as a predicate such as "has more than 10 values"; null if there is none. Recursion ends at the depth limit. */
export function faultOfShape(message: unknown, { depth, values }: ShapeLimits): string | null {
  let left = values;
  const faultOf = (value: unknown, levels: number): string | null => {
    left -= 1;
    if (left < 0) return `has more than ${values} values`;
    if (typeof value === "string") return faultOfText(value);
    if (typeof value !== "object" || value === null) return null;
    if (levels === 0) return `is nested more than ${depth} deep`;
    const names = Array.isArray(value) ? null : Object.keys(value);
    const count = names?.length ?? (value as unknown[]).length;
    if (count > left) return `has more than ${values} values`;
    for (let place = 0; place < count; place++) {
      const name = names?.[place] ?? place;
      const fault = (typeof name === "string" ? faultOfText(name) : null) ??
        faultOf((value as Record<string | number, unknown>)[name], levels - 1);
      if (fault !== null) return fault;
    }
    return null;
  };
  return faultOf(message, depth);
}

/**
 * The same for a message that JSON.parse has made of `text`, or of a part of it. A text has more characters than values, and
 * only an escape can make a lone surrogate of a well-formed text, so the texts and values of a short message need no look at
 * each.
 */
export function faultOfParsed(message: unknown, text: string, limits: ShapeLimits): string | null {
  const isPlain = text.length <= limits.values && !text.includes("\\u") && text.isWellFormed();
  return isPlain && !isDeeperThan(limits.depth, message) ? null : faultOfShape(message, limits);
}

/** A lone surrogate would become another character when its text is stored, so the text is refused. */
function faultOfText(text: string): string | null {
  return text.isWellFormed() ? null : "has a text with a lone surrogate";
}
