// Tables as text, for people.

/** Pads columns to their widest cell. Columns from `rightFrom` are right-aligned. */
export function textTable(rows: readonly (readonly (string | number)[])[], rightFrom = 1): string {
  const cells = rows.map((row) => row.map(String));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column >= rightFrom ? cell.padStart(width) : cell.padEnd(width);
    }).join("  ").trimEnd()
  ).join("\n");
}
