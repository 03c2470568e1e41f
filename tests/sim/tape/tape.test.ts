// A tape holds what happened in a run: what the report counts, no more and no less.

import { describe, expect, test } from "bun:test";
import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SimulationPreset } from "../../../protocol/index.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { simulate } from "../../../sim/headless/simulate.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { CsvTable } from "../../../sim/tape/csv-table.ts";
import { ParquetTable } from "../../../sim/tape/parquet-table.ts";
import { TABLE_NAMES, type TableName, TABLES } from "../../../sim/tape/tables.ts";
import { Tape } from "../../../sim/tape/tape.ts";
import { TapeDirectory, type TapeFormat } from "../../../sim/tape/tape-directory.ts";
import { size } from "../../support/sizes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

type Row = Readonly<Record<string, string>>;

const HOURS = size(1, 48);
/** Of the runs whose tapes are compared with each other. */
const COMPARED_HOURS = size(0.1, 1);
const directory = temporaryDirectory();
let tapes = 0;
const newPath = () => join(directory, `tape-${++tapes}`);

function runOf(hours: number, preset: SimulationPreset) {
  return { definition: builtInMarket(), experiment: { ...presetExperiment(preset), seed: 1, hours } };
}

/** A run under stress begins with an event. */
function taped(hours = COMPARED_HOURS, preset: SimulationPreset = "stress", format: TapeFormat = "csv") {
  const path = newPath();
  const files = new TapeDirectory(path, format);
  const report = simulate({ ...runOf(hours, preset), observer: new Tape(files) });
  files.finish({ seed: 1 }, { ...report });
  return { report, path };
}

function rowsOf(path: string, table: TableName): Row[] {
  const [header = "", ...lines] = readFileSync(join(path, `${table}.csv`), "utf8").trimEnd().split("\n");
  const names = header.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, column) => [names[column] ?? "", cell])));
}

async function parquetObjects(path: string): Promise<Record<string, unknown>[]> {
  return await parquetReadObjects({ file: await Bun.file(path).arrayBuffer() });
}

/** A row read from Parquet, with the texts that CSV has. */
function asCsvRow(row: Readonly<Record<string, unknown>>): Row {
  const text = (cell: unknown) => cell instanceof Date ? cell.toISOString() : String(cell ?? "");
  return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, text(cell)]));
}

const sum = (rows: readonly Row[], column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
const count = <Value>(values: readonly Value[], wanted: Value) => values.filter((value) => value === wanted).length;

describe("the tape of a run", () => {
  const { report, path } = taped(HOURS, "volatile");
  const rows = Object.fromEntries(TABLE_NAMES.map((name) => [name, rowsOf(path, name)])) as Record<TableName, Row[]>;

  test("has every table with its columns, and the number of its rows in run.json", () => {
    expect(readdirSync(path).toSorted()).toEqual(
      ["report.json", "run.json", ...TABLE_NAMES.map((name) => `${name}.csv`)].toSorted(),
    );
    for (const name of TABLE_NAMES) expect(Object.keys(rows[name][0] ?? {})).toEqual(Object.keys(TABLES[name]));
    expect(JSON.parse(readFileSync(join(path, "run.json"), "utf8"))).toEqual({
      seed: 1,
      format: "csv",
      rows: Object.fromEntries(TABLE_NAMES.map((name) => [name, rows[name].length])),
    });
  });

  test("holds every order, change, cancel and trade of the report", () => {
    const { orders, changes, cancels, trades, volumeMw } = report.totals;
    const actions = rows.orders.map(({ action }) => action);
    expect(["submit", "change", "cancel"].map((action) => count(actions, action))).toEqual([orders, changes, cancels]);
    expect(rows.trades).toHaveLength(trades);
    expect(sum(rows.trades, "quantity")).toBeCloseTo(volumeMw, 6);
    const submitted = rows.orders.filter(({ action }) => action === "submit").map(({ orderId }) => orderId);
    expect(new Set(submitted).size).toBe(orders);
  });

  test("gives each persona's trades and final positions", () => {
    for (const { id, trades, positions } of report.personas) {
      const own = rows.trades.flatMap(({ buyer, seller, contractId, quantity }) => [
        ...(buyer === id ? [{ contractId, quantity: Number(quantity) }] : []),
        ...(seller === id ? [{ contractId, quantity: -Number(quantity) }] : []),
      ]);
      expect(own).toHaveLength(trades);
      for (const { contractId, netPositionMw } of positions) {
        const traded = own.filter((trade) => trade.contractId === contractId);
        expect(traded.reduce((total, { quantity }) => total + quantity, 0)).toBeCloseTo(netPositionMw, 6);
      }
    }
  });

  test("has a row of quotes for each change of a top, and ends with the books of the report", () => {
    const tops = new Map<string, string>();
    for (const { time: _, contractId = "", ...top } of rows.quotes) {
      expect(JSON.stringify(top)).not.toBe(tops.get(contractId) ?? "");
      const areEmpty = [top["bidVolume"] === "", top["askVolume"] === ""];
      expect([top["bestBid"] === "", top["bestAsk"] === ""]).toEqual(areEmpty);
      tops.set(contractId, JSON.stringify(top));
    }
    for (const { contractId, bestBid, bestAsk } of report.books) {
      const top = JSON.parse(tops.get(contractId) ?? '{"bestBid":"","bestAsk":""}');
      expect([top.bestBid, top.bestAsk]).toEqual([String(bestBid ?? ""), String(bestAsk ?? "")]);
    }
  });

  test("has spot prices and best forecasts every five minutes, and events", () => {
    expect(rows.spot).toHaveLength((12 * HOURS + 1) * 2);
    expect(rows.spot[0]?.["time"]).toBe(report.startedAt);
    expect(rows.spot.at(-1)).toMatchObject({ time: report.endedAt, node: "WEST" });
    expect(rows.events[0]).toMatchObject({ type: "fuel_shock", node: "", size: "0.3" });
    const best = rows.forecasts.filter(({ forecaster }) => forecaster === "best");
    expect(new Set(best.map(({ time }) => time)).size).toBe(12 * HOURS + 1);
  });

  test("has the positions and cash of every persona every hour, which sum to zero", () => {
    const times = Map.groupBy(rows.positions, ({ time }) => time);
    expect(times.size).toBe(HOURS + 1);
    for (const all of times.values()) {
      for (const held of Map.groupBy(all, ({ contractId }) => contractId).values()) {
        expect(sum(held, "positionMw")).toBeCloseTo(0, 6);
      }
      const cash = new Map(all.map(({ persona, cash }) => [persona, Number(cash)]));
      expect(cash.size).toBe(report.totals.personas);
      expect(cash.values().reduce((total, value) => total + value, 0)).toBeCloseTo(0, 1);
    }
  });

  test("ends with each persona's trading result, contract by contract, which sum to zero", () => {
    for (const all of Map.groupBy(rows.results, ({ contractId }) => contractId).values()) {
      expect(sum(all, "realised") + sum(all, "unrealised")).toBeCloseTo(0, 1);
      expect(sum(all, "boughtMw")).toBeCloseTo(sum(all, "soldMw"), 6);
    }
    for (const { id, strategy, tradingResult } of report.personas) {
      const own = rows.results.filter(({ persona }) => persona === id);
      expect(sum(own, "realised") + sum(own, "unrealised")).toBeCloseTo(tradingResult, 1);
      expect(own.every((row) => row["strategy"] === strategy)).toBe(true);
    }
  });

  test("orders the levels of depth by price, each with its volume", () => {
    expect(rows.depth.length).toBeGreaterThan(100);
    for (const [, levels] of Map.groupBy(rows.depth, ({ time, contractId, side }) => `${time} ${contractId} ${side}`)) {
      const prices = levels.map(({ price }) => Number(price));
      const sorted = [...new Set(prices)].sort((a, b) => levels[0]?.["side"] === "BUY" ? b - a : a - b);
      expect(prices).toEqual(sorted);
      expect(levels.map(({ level }) => Number(level))).toEqual(levels.map((_, index) => index + 1));
      expect(levels.every(({ volume, orderCount }) => Number(volume) > 0 && Number(orderCount) > 0)).toBe(true);
    }
  });
});

const short = taped();

test("a tape changes nothing in the run", () => {
  expect(short.report).toEqual(simulate(runOf(COMPARED_HOURS, "stress")));
});

test("an observer who asks what is traded, at any time, changes nothing in the run", () => {
  // With seeds 57 and 86 it did, as long as the contracts' weights were those of the time of the first question.
  for (const seed of [57, 86]) {
    const run = { definition: builtInMarket(), experiment: { ...presetExperiment("thin"), seed, hours: 0.05 } };
    expect(simulate({ ...run, observer: new Tape({ append: () => {} }) })).toEqual(simulate(run));
  }
});

describe("a tape in Parquet", () => {
  test("holds the same rows as one in CSV", async () => {
    const parquet = taped(undefined, undefined, "parquet");
    expect(parquet.report).toEqual(short.report);
    for (const name of TABLE_NAMES) {
      const rows = await parquetObjects(join(parquet.path, `${name}.parquet`));
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.map(asCsvRow)).toEqual(rowsOf(short.path, name));
    }
  });

  test("has several row groups, with times in UTC, whole numbers, numbers and texts that may be null", async () => {
    const path = join(directory, "types.parquet");
    const table = new ParquetTable(path, { time: "time", count: "integer", share: "number", name: "text" });
    const count = 65_536 + 1;
    for (let row = 0; row < count; row++) {
      table.append(row % 7 === 3 ? [null, null, null, null] : [row, -(2 ** 53) + row, row / 8, `name ${row % 100}`]);
      if (row === 65_536) expect(table.writtenRows).toBe(65_536);
    }
    table.close();
    const { schema, row_groups } = await parquetMetadataAsync(await Bun.file(path).arrayBuffer());
    expect(row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([65_536, 1]);
    expect(schema[1]).toMatchObject({ type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true } });
    const rows = await parquetObjects(path);
    expect(rows).toHaveLength(count);
    expect(rows[3]).toEqual({ time: null, count: null, share: null, name: null });
    const [time, wanted] = [new Date(65_536), BigInt(-(2 ** 53) + 65_536)];
    expect(rows[65_536]).toEqual({ time, count: wanted, share: 65_536 / 8, name: "name 36" });
  });

  test("can be read if a table has no rows", async () => {
    const path = join(directory, "empty.parquet");
    new ParquetTable(path, TABLES.events).close();
    expect(await parquetObjects(path)).toEqual([]);
  });
});

test("the document describes every column of every table, in order", async () => {
  const document = await Bun.file("docs/tape.md").text();
  for (const name of TABLE_NAMES) {
    const section = document.split(`**${name}**`)[1]?.split(/\n\*\*|\n##/)[0] ?? "";
    expect([...section.matchAll(/^\| `(\w+)`/gm)].map((match) => match[1])).toEqual(Object.keys(TABLES[name]));
  }
});

test("a CSV field with a comma, a quote or a line break is quoted", () => {
  const path = join(directory, "quoted.csv");
  const table = new CsvTable(path, { time: "time", name: "text", number: "number" });
  table.append([Date.UTC(2026, 2, 2, 6, 0, 0, 7), 'one, "two"\nthree', -0.5]);
  table.append([null, "plain", null]);
  table.close();
  expect(readFileSync(path, "utf8")).toBe(
    'time,name,number\n2026-03-02T06:00:00.007Z,"one, ""two""\nthree",-0.5\n,plain,\n',
  );
});

describe("a directory that can't be used", () => {
  test("is refused if it holds a tape, whole or cut short", () => {
    const path = newPath();
    mkdirSync(path);
    writeFileSync(join(path, "notes.txt"), "kept");
    void new TapeDirectory(path, "csv");
    const message = `tape ${path}: holds a tape already (trades.csv): choose another directory`;
    expect(() => new TapeDirectory(path, "csv")).toThrow(message);
  });

  test("is refused if its parent is missing, or if it is a file", () => {
    const path = join(newPath(), "inner");
    expect(() => new TapeDirectory(path, "csv")).toThrow(`tape ${path}: can't be created: no such file or folder`);
    const file = newPath();
    writeFileSync(file, "");
    expect(() => new TapeDirectory(file, "csv")).toThrow(`tape ${file}: trades.csv can't be created: part of the path`);
  });
});
