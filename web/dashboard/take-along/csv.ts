// A table as text: CSV after RFC 4180 for a file, tabs between cells for the clipboard. A spreadsheet runs a cell that begins
// like a formula, and names in a market may come from anybody. So such a cell gets an apostrophe before it, unless it is a
// number: https://owasp.org/www-community/attacks/CSV_Injection

export interface Grid {
  /** With units, such as `Bid, $/MWh`. */
  readonly headings: readonly string[];
  /** Cells of one row have the order of the headings. */
  readonly rows: readonly (readonly string[])[];
}

/** Lines end with CR and LF, the last one too. */
export function csvText({ headings, rows }: Grid): string {
  return [headings, ...rows].map((cells) => `${cells.map((cell) => quoted(harmless(cell))).join(",")}\r\n`).join("");
}

/** What spreadsheets paste as cells. */
export function tabbedText({ headings, rows }: Grid): string {
  return [headings, ...rows].map((cells) => cells.map((cell) => harmless(oneLine(cell))).join("\t")).join("\n");
}

/** With their full-width forms, which some spreadsheets take for the same. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

function harmless(cell: string): string {
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}

/** A semicolon is the separator in some countries. */
function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function oneLine(cell: string): string {
  return cell.replaceAll(/[\t\r\n]+/g, " ");
}

/** A number as a page shows it, as a program reads it: `−1,234.50` is `-1234.50`, `+3` is `3`. Null: it is none. */
export function plainNumber(shown: string): string | null {
  const [, sign, whole, decimals = ""] = /^([+\-\u2212]?)(\d+|\d{1,3}(?:,\d{3})+)(\.\d+)?$/.exec(shown) ?? [];
  if (whole === undefined) return null;
  return `${sign === "" || sign === "+" ? "" : "-"}${whole.replaceAll(",", "")}${decimals}`;
}

/** `mkt-positions-by-contract-2026-11-23T12-00-00.csv`. `at`: milliseconds of market time; null: unknown. */
export function fileName(label: string, at: number | null, ending: "csv" | "png"): string {
  const words = label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "").slice(0, 80);
  const time = at === null ? "" : `-${new Date(at).toISOString().slice(0, 19).replaceAll(":", "-")}`;
  return `mkt-${words === "" ? "table" : words}${time}.${ending}`;
}
