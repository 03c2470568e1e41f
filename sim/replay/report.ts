// What a replay comes to, as people read it: one line a count. `--json` prints the same names.

export function reportAsText(report: Readonly<Record<string, number | null>>): string {
  const width = Math.max(...Object.keys(report).map((name) => name.length));
  return Object.entries(report).map(([name, value]) => `${name.padEnd(width)}  ${value ?? "-"}`).join("\n");
}
