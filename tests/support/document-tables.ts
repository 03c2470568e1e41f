// Reads the tables of a Markdown document, and checks each of their rows.
//
// A document's checks name every table and every row of it, so a new table or row without a check fails, and so does a check
// without a row.

import { describe, expect, test } from "bun:test";

export interface Row {
  /** The first cell, without code marks; with the second one if the table repeats first cells. */
  readonly name: string;
  /** All cells as they are written. */
  readonly cells: readonly string[];
  /** The texts in code style of a cell, from 0. */
  codes(cell: number): string[];
}

interface DocumentTable {
  /** Its heading and its first column, as in `HTTP: route`. A later table with the same two has a number behind. */
  readonly name: string;
  readonly rows: readonly Row[];
}

/** What a row says is checked by another test, because the check needs much that the test has: its file, and its name. */
interface Elsewhere {
  readonly file: string;
  readonly test: string;
}

type Check = ((row: Row) => void | Promise<void>) | Elsewhere;
/** By the row's name; or one function for all rows, each of which it must tell from an unknown one. */
type TableChecks = Readonly<Record<string, Check>> | ((row: Row) => void | Promise<void>);

export function tablesOf(markdown: string): DocumentTable[] {
  const tables: { name: string; rows: Row[] }[] = [];
  let heading = "";
  let table: { name: string; rows: Row[] } | null = null;
  for (const line of markdown.split("\n")) {
    heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
    if (!line.startsWith("|")) table = null;
    else if (table === null) tables.push(table = { name: nameFor(heading, line, tables), rows: [] });
    else if (!/^\|(?: *:?-{3,}:? *\|)+$/.test(line)) table.rows.push(rowOf(line));
  }
  return tables.map(({ name, rows }) => ({ name, rows: withNames(rows) }));
}

function withNames(rows: readonly Row[]): Row[] {
  if (new Set(rows.map(({ name }) => name)).size === rows.length) return [...rows];
  return rows.map((row) => ({ ...row, name: row.cells.slice(0, 2).join(" ").replaceAll("`", "") }));
}

export function tableNamed(tables: readonly DocumentTable[], name: string): DocumentTable {
  return tables.find((table) => table.name === name) ?? expect.unreachable(`there is no table ${name}`);
}

/** Tests that `checks` has every table and row of the document, and nothing else, and runs each check. */
export function testTables(
  document: string,
  tables: readonly DocumentTable[],
  checks: Readonly<Record<string, TableChecks>>,
): void {
  test(`${document} has exactly the tables that are checked`, () => {
    expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(checks).toSorted());
  });

  describe.each(tables)(`${document}, $name`, ({ name, rows }) => {
    const ofTable = checks[name] ?? {};

    test("has rows, each of them checked", () => {
      const names = rows.map((row) => row.name);
      expect(names.length).toBeGreaterThan(0);
      expect(names).toEqual([...new Set(names)]);
      if (typeof ofTable !== "function") expect(names.toSorted()).toEqual(Object.keys(ofTable).toSorted());
    });

    test.each(rows)("$name", async (row) => {
      const check = typeof ofTable === "function" ? ofTable : ofTable[row.name];
      if (typeof check === "function") await check(row);
      else expect(await Bun.file(check?.file ?? "").text()).toContain(`"${check?.test}"`);
    });
  });
}

function nameFor(heading: string, line: string, earlier: readonly DocumentTable[]): string {
  const name = `${heading}: ${rowOf(line).name}`;
  const same = earlier.filter((table) => table.name.startsWith(name)).length;
  return same === 0 ? name : `${name} ${same + 1}`;
}

function rowOf(line: string): Row {
  const cells = line.split("|").slice(1, -1).map((cell) => cell.trim());
  return {
    name: (cells[0] ?? "").replaceAll("`", ""),
    cells,
    codes: (cell) => [...(cells[cell] ?? "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code),
  };
}
