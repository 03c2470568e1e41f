import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { columnChunks, type Columns } from "../../../sim/facts/csv-columns.ts";
import type { ColumnKind } from "../../../sim/facts/csv-fields.ts";

const directory = await mkdtemp(join(tmpdir(), "mkt-columns-"));
afterAll(() => rm(directory, { recursive: true }));

/** All chunks together. */
function readColumns<Wanted extends Readonly<Record<string, ColumnKind>>>(path: string, wanted: Wanted) {
  const all: Record<string, unknown> = { length: 0 };
  for (const { columns: { length, ...columns } } of columnChunks(path, wanted)) {
    all["length"] = Number(all["length"]) + length;
    for (const [name, column] of Object.entries(columns)) all[name] = joined(all[name], column);
  }
  return all as Columns<Wanted>;
}

function joined(before: unknown, column: unknown): unknown {
  if (column instanceof Float64Array) return Float64Array.from([...(before as Float64Array ?? []), ...column]);
  const { codes, names } = column as { codes: Int32Array; names: readonly string[] };
  return { codes: Int32Array.from([...((before as { codes: Int32Array })?.codes ?? []), ...codes]), names: [...names] };
}

async function written(text: string): Promise<string> {
  const path = join(directory, `${Bun.hash(text)}.csv`);
  await Bun.write(path, text);
  return path;
}

test("reads times, numbers and names, and skips other columns", async () => {
  const path = await written(
    "time,id,other,price,size\n2026-03-02T06:00:00.000Z,A,x,-12,1.5\n2026-03-02T06:00:00.125Z,B,,,0.001\n" +
      "2026-03-03T00:00:00.000Z,A,y,300000,1e3\n",
  );
  const { length, time, id, price, size } = readColumns(path, {
    time: "time",
    id: "name",
    price: "number",
    size: "number",
  });
  expect(length).toBe(3);
  const times = ["2026-03-02T06:00:00.000Z", "2026-03-02T06:00:00.125Z", "2026-03-03T00:00:00.000Z"];
  expect([...time]).toEqual(times.map(Date.parse));
  expect(id).toEqual({ codes: Int32Array.of(0, 1, 0), names: ["A", "B"] });
  expect([...price]).toEqual([-12, NaN, 300_000]);
  expect([...size]).toEqual([1.5, 0.001, 1000]);
});

test("reads files of several chunks, and leaves out a last line that is not complete", async () => {
  const rows = Array.from({ length: 400_000 }, (_, at) => `contract-${at % 7},${at}\n`);
  const path = await written(`id,number\n${rows.join("")}contract-1,12`);
  const { length, id, number } = readColumns(path, { id: "name", number: "number" });
  expect(length).toBe(400_000);
  expect(number.every((value, at) => value === at)).toBe(true);
  expect(id.names.length).toBe(7);
  expect(id.codes.every((code, at) => code === at % 7)).toBe(true);
});

test("refuses a column that is missing, a file without a header, and quoted fields", async () => {
  const path = await written('id,price\n"a,b",1\n');
  expect(() => readColumns(path, { name: "name" })).toThrow("has no column name");
  expect(() => readColumns(path, { id: "name" })).toThrow("has a quoted field in row 1");
  const empty = await written("");
  expect(() => readColumns(empty, { id: "name" })).toThrow("has no header line");
});
