// The JSON text of a tool's entry in tools/list, in parts, so one text serves listings with and without output schemas. The
// build writes these parts into the executable. Loads no library.

export interface ToolEntry {
  readonly name: string;
  /** Everything before the output schema: an object's beginning, without a comma at its end. */
  readonly head: string;
  /** The output schema's JSON text; null if the tool has none. */
  readonly outputSchema: string | null;
  /** Everything after the output schema: the object's end, without a comma at its beginning. */
  readonly tail: string;
}

/** The JSON text of `tools` in the answer to tools/list. */
export function entriesJson(entries: readonly ToolEntry[], outputSchemas: boolean): string {
  const texts = entries.map(({ head, outputSchema, tail }) =>
    outputSchemas && outputSchema !== null ? `${head},"outputSchema":${outputSchema},${tail}` : `${head},${tail}`
  );
  return `[${texts.join(",")}]`;
}
