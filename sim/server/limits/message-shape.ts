// What a message may look like before anything else looks at it: how deep it is nested, how many values it has, and that its
// texts are texts. JSON.parse takes any depth, and takes time in proportion to the length; whatever comes after it may
// recurse.

export interface ShapeLimits {
  readonly depth: number;
  readonly values: number;
}

/** What is wrong, after "it"; null if nothing is. Its own recursion ends at the greatest depth. */
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

/** Half of a surrogate pair is no character: it would come back from a disk as another one. */
function faultOfText(text: string): string | null {
  return text.isWellFormed() ? null : "has a text with half of a character";
}
