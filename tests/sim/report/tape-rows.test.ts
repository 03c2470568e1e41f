import { expect, test } from "bun:test";
import { join } from "node:path";
import { feedRows, feedTable } from "../../../sim/report/tape-rows.ts";
import { type Cell, TABLE_NAMES, TABLES } from "../../../sim/tape/tables.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const directory = temporaryDirectory();

/** The rows of spot.csv with this text. */
async function rowsOf(text: string): Promise<(readonly Cell[])[]> {
  await Bun.write(join(directory, "spot.csv"), text);
  const rows: (readonly Cell[])[] = [];
  feedTable(directory, "spot", { append: (_table, time, row) => rows.push([time, ...row]) });
  return rows;
}

test("reads times, numbers, texts and empty fields, in the order of the tape's columns", async () => {
  const [first, second] = ["2026-03-02T06:00:00.000Z", "2026-03-02T06:00:00.125Z"];
  const rows = await rowsOf(
    `node,time,other,price,regime\nA,${first},x,-12,base\nB,${first},,300000,\nA,${second},y,1e3,spike\n`,
  );
  const [at, later] = [Date.parse(first), Date.parse(second)];
  expect(rows).toEqual([
    [at, at, "A", -12, "base"],
    [at, at, "B", 300_000, null],
    [later, later, "A", 1000, "spike"],
  ]);
});

test("reads files of several chunks, and leaves out a last line that is not complete", async () => {
  const time = "2026-03-02T06:00:00.000Z";
  const lines = Array.from({ length: 150_000 }, (_, at) => `${time},node-${at % 7},${at},base\n`);
  const rows = await rowsOf(`time,node,price,regime\n${lines.join("")}${time},node-1,12,base`);
  expect(rows.length).toBe(150_000);
  expect(rows.every(([, , node, price], at) => node === `node-${at % 7}` && price === at)).toBe(true);
});

test.each([
  ["a column that is missing", "time,node,price\n", "has no column regime"],
  ["a file without a header", "", "has no header line"],
  ["quoted fields", 'time,node,price,regime\n2026-03-02T06:00:00.000Z,"a,b",1,base\n', "has a quoted field in row 1"],
])("refuses %s", async (_what, text, message) => {
  await expect(rowsOf(text)).rejects.toThrow(message);
});

test("feeds all tables one after the other, and tells how many bytes it has read of all of them", async () => {
  const whole = temporaryDirectory();
  const texts = TABLE_NAMES.map((table) => {
    const columns = Object.keys(TABLES[table]);
    return `${columns.join(",")}\n${columns.map((_, at) => at === 0 ? "2026-03-02T06:00:00.000Z" : "").join(",")}\n`;
  });
  await Promise.all(TABLE_NAMES.map((table, at) => Bun.write(join(whole, `${table}.csv`), texts[at]!)));
  const fed: string[] = [];
  const done: number[] = [];
  feedRows(whole, { append: (table) => fed.push(table) }, (bytes) => done.push(bytes));
  expect(fed).toEqual([...TABLE_NAMES]);
  expect(done).toEqual(texts.map((_, at) => texts.slice(0, at + 1).join("").length));
});
