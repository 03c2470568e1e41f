// What a table on the page shows: its visible cells as text, row by row. Nothing else of the data goes with it.
//
// - The attribute `data-value` of a cell or a heading stands for its text.
// - A time stands for itself in full (ISO, UTC), and numbers are as a program reads them.
// - What is hidden from the eye or from screen readers is left out: bars, arrows, columns that don't fit.
// - Cells of the class `table-buttons` hold buttons, and are left out.
// - Empty rows are left out, such as those of a book without orders.
// - A cell without text that has a label for screen readers is the label.

import { type Grid, plainNumber } from "./csv.ts";

const ABSENT = "–";
/** Marks beside words that say the same. */
const MARKS = /[▲▼◆]/g;

export function shownTable(table: HTMLTableElement): Grid {
  const [head] = table.tHead?.rows ?? [];
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]).filter((row) => row.ariaHidden !== "true");
  return {
    headings: head === undefined ? [] : cellsOf(head, headingOf),
    rows: rows.map((row) => cellsOf(row, valueOf)).filter((cells) => cells.some((cell) => cell !== "")),
  };
}

/** A cell over several columns fills the first one. */
function cellsOf(row: HTMLTableRowElement, textOf: (cell: HTMLTableCellElement) => string): string[] {
  const isTaken = (cell: HTMLTableCellElement) => cell.checkVisibility() && !cell.classList.contains("table-buttons");
  return [...row.cells].filter(isTaken).flatMap((cell) => [
    textOf(cell),
    ...Array<string>(cell.colSpan - 1).fill(""),
  ]);
}

function headingOf(cell: HTMLTableCellElement): string {
  return cell.dataset["value"] ?? cell.ariaLabel ?? textIn(cell);
}

function valueOf(cell: HTMLTableCellElement): string {
  const text = cell.dataset["value"] ?? textIn(cell);
  if (text === ABSENT) return "";
  if (text === "") return cell.ariaLabel ?? "";
  return cell.classList.contains("number") ? plainNumber(text) ?? text : text;
}

function textIn(cell: Element): string {
  return parts(cell).join(" ").replaceAll(MARKS, "").replaceAll(/\s+/g, " ").trim();
}

function parts(node: Node): string[] {
  if (node instanceof Text) return [node.data];
  if (!(node instanceof Element) || node.ariaHidden === "true" || node.classList.contains("visually-hidden")) return [];
  if (node instanceof HTMLTimeElement) return [node.dateTime];
  if (!node.checkVisibility()) return [];
  return [...node.childNodes].flatMap(parts);
}
