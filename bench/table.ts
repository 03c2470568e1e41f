// Figures as Markdown, formatted as the formatter would: a table for each suite, a row for each case, and in each cell
// one figure for each size.

import type { CaseFigures, Measured, SuiteFigures } from "./measurement.ts";

export function tablesOf({ processor, suites }: Measured): string {
  return [
    `${processor}, Bun ${Bun.version}. Least of the samples; peer / mkt above 1: mkt is faster.`,
    ...suites.map(tableOf),
  ].join("\n\n");
}

function tableOf({ suite, cases }: SuiteFigures): string {
  const sizes = suite.sizes.map(grouped);
  const heading = sizes.length === 0 ? `${suite.description}.` : `${suite.description}: ${sizes.join(" · ")}.`;
  return `### ${suite.name}\n\n${heading}\n\n${aligned(["case", "mkt", "peer", "", "peer / mkt"], cases.map(cellsOf))}`;
}

/** A table with columns as wide as their widest cell. */
export function aligned(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) =>
    Math.max(3, ...[header, ...rows].map((cells) => cells[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

function cellsOf({ case: { name, peerName }, mkt, peer }: CaseFigures): string[] {
  const ratios = mkt.map((figure, index) => threeDigits((peer[index] ?? NaN) / figure));
  return [name, mkt.map(duration).join(" · "), peerName, peer.map(duration).join(" · "), ratios.join(" · ")];
}

/** Nanoseconds in a suitable unit. */
export function duration(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${threeDigits(nanoseconds)} ns`;
  if (nanoseconds < 1e6) return `${threeDigits(nanoseconds / 1e3)} µs`;
  return `${threeDigits(nanoseconds / 1e6)} ms`;
}

/** A whole number with thousands separators. */
export function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

/** Three significant digits, without an exponent. */
export function threeDigits(value: number): string {
  return String(Number(value.toPrecision(value < 1 ? 2 : 3)));
}
