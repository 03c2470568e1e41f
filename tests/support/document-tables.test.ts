import { expect, test } from "bun:test";
import { tablesOf } from "./document-tables.ts";

const DOCUMENT = `# One

| name | what |
| :--- | ---- |
| \`a\`, b | \`x\` and \`y\` |
| - | |

Text | with a bar.

| name | other |
|---|---|
| c | |
## Two
| name |
| ---- |
| d |
`;

test("tables are named by heading and first column, and rows by their first cell", () => {
  const tables = tablesOf(DOCUMENT);
  expect(tables.map(({ name, rows }) => [name, rows.map((row) => row.name)])).toEqual([
    ["One: name", ["a, b", "-"]],
    ["One: name 2", ["c"]],
    ["Two: name", ["d"]],
  ]);
  expect(tables[0]?.rows[0]?.codes(1)).toEqual(["x", "y"]);
  expect(tables[0]?.rows[0]?.cells).toEqual(["`a`, b", "`x` and `y`"]);
});
