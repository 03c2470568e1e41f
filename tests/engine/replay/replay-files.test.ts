// What a replay of files shows of its progress, and that it lets go of its files however it ends.

import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as progressBar from "../../../common/progress-bar.ts";
import { LineReader, LineWriter } from "../../../engine/replay/line-files.ts";
import { replayLobsterFiles, replayOpsFile, reportAsText } from "../../../engine/replay/replay-files.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { buy, operationsFile, sell } from "./operations-file.ts";

let directory: string;
let did: unknown[];
beforeEach(() => {
  directory = temporaryDirectory();
  did = [];
  replaced(progressBar, "showProgress", (total, unit) => {
    did.push([total, unit]);
    const note = () => {};
    return Promise.resolve({ update: (done: number) => void did.push(done), note, stop: () => void did.push("stop") });
  });
  const { close } = LineReader.prototype;
  replaced(LineReader.prototype, "close", function (this: LineReader) {
    did.push("read");
    return close.call(this);
  } as never);
  const { close: closeWriter } = LineWriter.prototype;
  replaced(LineWriter.prototype, "close", function (this: LineWriter) {
    did.push("written");
    return closeWriter.call(this);
  } as never);
});

const path = (name: string) => join(directory, name);
const ROW = "101,5,99,4";

function files(messages: readonly string[], rows: readonly string[]) {
  writeFileSync(path("M"), messages.map((line) => `${line}\n`).join(""));
  writeFileSync(path("B"), rows.map((line) => `${line}\n`).join(""));
  return { messages: path("M"), book: path("B"), levels: 1, bookOut: path("OUT") };
}

describe("a replay of LOBSTER files", () => {
  test("shows the KiB that it has read of the messages, and writes a row for each of them", async () => {
    const message = `1.${"0".repeat(1000)},5,1,1,100,1`;
    const outcome = await replayLobsterFiles(files(Array(3).fill(message), Array(3).fill(ROW)));
    expect(outcome).toMatchObject({ ok: true, report: { rows: 3 } });
    expect(did).toEqual([[3, "KiB"], 2, 2, 2, "stop", "read", "read", "written"]);
    expect(readFileSync(path("OUT"), "utf8")).toBe(`${ROW}\n`.repeat(3));
  });

  test.each([
    ["M: line 2: columns: 1 instead of 6", ["1,5,1,1,100,1", "x"], [ROW, ROW]],
    ["B: line 2: columns: 1 instead of 4 (--levels 1)", ["1,5,1,1,100,1", "1,5,1,1,100,1"], [ROW, "x"]],
    ["B: line 2: no row for message 2", ["1,5,1,1,100,1", "1,5,1,1,100,1"], [ROW]],
    ["B: line 2: no message for this row", ["1,5,1,1,100,1"], [ROW, ROW]],
    ["M: line 3: order id: 7 is in the book already", ["1,5,1,1,100,1", "1,1,7,1,100,1", "1,1,7,1,100,1"], [
      ROW,
      "101,5,100,1",
      ROW,
    ]],
  ])("ends at a fault with the rows before it: %s", async (fault, messages, rows) => {
    const outcome = await replayLobsterFiles(files(messages, rows));
    expect(outcome).toEqual({ ok: false, fault: join(directory, fault) });
    expect(did.slice(-4)).toEqual(["stop", "read", "read", "written"]);
    expect(readFileSync(path("OUT"), "utf8")).toStartWith(`${ROW}\n`);
  });

  test("lets go of its files if one of them can't be read to its end", async () => {
    const given = files(["1,5,1,1,100,1"], [ROW]);
    replaced(LineReader.prototype, "read", () => Promise.reject(new Error("broken disk")));
    await expect(replayLobsterFiles(given)).rejects.toThrow("broken disk");
    expect(did.slice(-4)).toEqual(["stop", "read", "read", "written"]);
  });

  test("leaves the output alone if an input is missing, and needs none", async () => {
    const given = files(["1,5,1,1,100,1"], [ROW]);
    writeFileSync(path("OUT"), "former");
    for (const missing of [{ messages: path("no") }, { book: path("no") }]) {
      await expect(replayLobsterFiles({ ...given, ...missing })).rejects.toThrow(
        `${path("no")}: no such file or folder`,
      );
    }
    expect([readFileSync(path("OUT"), "utf8"), did]).toEqual(["former", []]);
    const { bookOut: _, ...without } = given;
    expect(await replayLobsterFiles(without)).toMatchObject({ ok: true });
    expect([existsSync(path("OUT")), did.slice(-2)]).toEqual([true, ["read", "read"]]);
  });
});

describe("a replay of operations", () => {
  test("shows its progress, and names its file in a fault", async () => {
    writeFileSync(path("ops"), operationsFile([buy(1, 10, 2), sell(2, 10, 2)]));
    let milliseconds = 0;
    const stopwatch = () => milliseconds += 8;
    expect(await replayOpsFile(path("ops"), stopwatch)).toMatchObject({
      ok: true,
      report: { ops: 2, trades: 1, opsPerSecond: 250 },
    });
    expect(did.splice(0)).toEqual([[2, "operations"], 2, "stop"]);
    writeFileSync(path("ops"), operationsFile([buy(1, 10, 2), buy(1, 10, 2)]));
    const fault = `${path("ops")}: record 2: order 1 is in the book already`;
    expect(await replayOpsFile(path("ops"), stopwatch)).toEqual({ ok: false, fault });
    expect(did.splice(0)).toEqual([[2, "operations"], "stop"]);
    writeFileSync(path("ops"), "no operations");
    expect(await replayOpsFile(path("ops"), stopwatch)).toMatchObject({
      ok: false,
      fault: expect.stringContaining(`${path("ops")}: not a file of operations`),
    });
    await expect(replayOpsFile(path("no"), stopwatch)).rejects.toThrow(`${path("no")}: no such file or folder`);
  });
});

test("a report is one line for each count, in columns", () => {
  expect(reportAsText({ rows: 3, executions: 0, seconds: null })).toBe("rows        3\nexecutions  0\nseconds     -");
});
