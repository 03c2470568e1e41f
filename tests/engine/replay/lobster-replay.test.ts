// LOBSTER files made by hand: the exact book after each row, and the exact counts.

import { describe, expect, test } from "bun:test";
import type { LobsterReport } from "../../../engine/replay/lobster-replay.ts";
import { NO_COUNTS, runLobster, text } from "./lobster-run.ts";

/** A message, its recorded row, and the book's own row if it differs. */
type Step = readonly [message: string, row: string, own?: string];

// Columns of a message: type, order id, size, price, direction. Of a row: ask, size, bid, size for each level.
const SEED: Step = ["1,1,5,101,-1", "101,5,99,4,102,6,98,3"];

const EMPTY = "9999999999,0,-9999999999,0";
const ADDED: readonly Step[] = [
  SEED,
  ["1,2,7,100,1", "101,5,100,7,102,6,99,4"],
  ["1,3,2,100,1", "101,5,100,9,102,6,99,4"],
];
const HALF = "101,5,99,4,9999999999,0,98,3";

// lobster-round-trip.test.ts has what a market with a known book can show. These are files that contradict themselves.
test.each<[what: string, levels: number, steps: readonly Step[], report: Partial<LobsterReport>]>([
  ["the first row may be of any message", 2, [["4,1,5,101,-1", SEED[1]], ["7,0,0,-1,-1", SEED[1]]], {
    predictedLevels: 4,
  }],
  ["the first row may be empty", 1, [["7,0,0,-1,-1", EMPTY], ["1,1,5,101,-1", "101,5,-9999999999,0"]], {
    predictedLevels: 1,
  }],
  ["hidden executions, crosses and halts change nothing", 2, [
    ADDED[0]!,
    ADDED[1]!,
    ...["5,0,10,100,1", "6,-1,500,101,-1", "7,0,0,-1,-1", "7,0,0,0,-1", "7,0,0,1,-1"].map((message): Step => [
      message,
      ADDED[1]![1],
    ]),
    ["4,2,7,100,1", SEED[1], "101,5,99,4,102,6,-9999999999,0"],
  ], { predictedLevels: 27, adoptedLevels: 1, executions: 1, executionsAtHead: 1 }],
  ["an order outside the window is not added, and its level is anonymous when it is shown later", 1, [
    ["1,1,5,101,-1", "101,5,99,4"],
    ["1,2,7,102,-1", "101,5,99,4"],
    ["3,1,5,101,-1", "102,7,99,4", "9999999999,0,99,4"],
    ["4,2,3,102,-1", "102,4,99,4"],
  ], { predictedLevels: 5, adoptedLevels: 1, executions: 1, executionsAnonymous: 1 }],
  ["an execution of an order at a worse price than the best trades with that order", 2, [
    ...ADDED,
    ["1,4,6,99,1", "101,5,100,9,102,6,99,10"],
    ["4,4,2,99,1", "101,5,100,9,102,6,99,8"],
    ["3,4,4,99,1", "101,5,100,9,102,6,99,4"],
  ], { predictedLevels: 20, executions: 1, executionsElsewhere: 1 }],
  ["an execution of more than the named order takes the rest from other orders of its level", 2, [
    ...ADDED,
    ["4,3,4,100,1", "101,5,100,5,102,6,99,4"],
  ], { predictedLevels: 12, executions: 1, executionsElsewhere: 1 }],
  ["an execution of a named order at another price or on the other side trades with the level of the message", 2, [
    ...ADDED,
    ["1,4,6,99,1", "101,5,100,9,102,6,99,10"],
    ["4,4,2,100,1", "101,5,100,7,102,6,99,10"],
    ["4,4,2,101,-1", "101,3,100,7,102,6,99,10"],
  ], { predictedLevels: 20, executions: 2, executionsElsewhere: 1, executionsAnonymous: 1 }],
  ["an execution at a price without orders trades nothing and leaves nothing in the book", 2, [
    SEED,
    ["4,77,5,100,-1", SEED[1]],
    ["4,77,5,100,1", SEED[1]],
  ], { predictedLevels: 8, executions: 2, executionsElsewhere: 2 }],
  ["a level with a different recorded size counts as predicted and not matched, as long as the sizes differ", 2, [
    SEED,
    ["5,0,1,100,1", "101,5,99,5,102,6,98,3", SEED[1]],
    ["5,0,1,100,1", "101,5,99,5,102,6,98,3", SEED[1]],
    ["5,0,1,100,1", SEED[1]],
  ], { predictedLevels: 12, matchedLevels: 10 }],
  ["a level with another recorded price counts as predicted and not matched, although the sizes are the same", 2, [
    SEED,
    ["5,0,1,100,1", "100,5,99,4,102,6,98,3", SEED[1]],
  ], { predictedLevels: 4, matchedLevels: 3 }],
  ["a level inside the window in only the row counts against the prediction", 2, [
    ["1,1,5,101,-1", HALF],
    ["5,0,1,100,1", "101,5,99,4,105,2,98,3", HALF],
  ], { predictedLevels: 4, matchedLevels: 3 }],
  ["a level inside the window in only the book counts against the prediction", 2, [
    SEED,
    ["5,0,1,100,1", HALF, SEED[1]],
  ], { predictedLevels: 4, matchedLevels: 3 }],
])("%s", async (_, levels, steps, report) => {
  const messages = steps.map(([message], index) => `${34_200 + index}.000000001,${message}`);
  const run = await runLobster(levels, text(messages), text(steps.map(([, row]) => row)));
  expect(run.own).toEqual(steps.map(([, row, own]) => own ?? row));
  const matchedLevels = report.predictedLevels ?? 0;
  expect(run.outcome).toEqual({ ok: true, report: { ...NO_COUNTS, rows: steps.length, matchedLevels, ...report } });
});

test("a submission of an order that is in the book already ends the run", async () => {
  const messages = text(["1,1,1,5,101,-1", "2,1,2,7,100,1", "3,1,2,7,100,1"]);
  const { outcome, own } = await runLobster(1, messages, text(["101,5,99,4", "101,5,100,7", "101,5,100,14"]));
  expect(outcome).toEqual({ ok: false, fault: "M.csv: line 3: order id: 2 is in the book already" });
  expect(own).toEqual(["101,5,99,4", "101,5,100,7"]);
});

describe("a file", () => {
  test("may be empty", async () => {
    expect(await runLobster(3, "", "")).toMatchObject({ outcome: { ok: true, report: { rows: 0 } }, own: [] });
  });

  test("may have \r\n line ends, and a last line without one", async () => {
    const { outcome } = await runLobster(1, "1,1,1,5,101,-1\r\n2,5,0,1,100,1\r\n", "101,5,99,4\n101,5,99,4");
    expect(outcome).toMatchObject({ ok: true, report: { rows: 2, matchedLevels: 2 } });
  });

  const message = "1.5,1,1,5,101,-1";
  const row = "101,5,99,4";
  test.each([
    ["1,1,5,101,-1", row, "M.csv: line 2: columns: 5 instead of 6"],
    ["", row, "M.csv: line 2: columns: 1 instead of 6"],
    ["noon,1,1,5,101,-1", row, 'M.csv: line 2: time: "noon" is not a number of seconds'],
    ["1.5,1,1,5.5,101,-1", row, 'M.csv: line 2: size: "5.5" is not a whole number'],
    ["1.5,1,1,,101,-1", row, 'M.csv: line 2: size: "" is not a whole number'],
    ["1.5,1,1,5,1e3,-1", row, 'M.csv: line 2: price: "1e3" is not a whole number'],
    [
      "1.5,1,99999999999999999999,5,101,-1",
      row,
      'M.csv: line 2: order id: "99999999999999999999" is not a whole number',
    ],
    ["1.5,8,1,5,101,-1", row, "M.csv: line 2: type: 8 is none of 1 to 7"],
    ["1.5,0,1,5,101,-1", row, "M.csv: line 2: type: 0 is none of 1 to 7"],
    ["1.5,4,1,0,101,-1", row, "M.csv: line 2: size: 0 is too small"],
    ["1.5,5,1,-1,101,-1", row, "M.csv: line 2: size: -1 is too small"],
    ["1.5,1,1,5,101,0", row, "M.csv: line 2: direction: 0 is neither 1 (buy) nor -1 (sell)"],
    [message, "101,5,99", "B.csv: line 2: columns: 3 instead of 4 (--levels 1)"],
    [message, "101,5,99,x", 'B.csv: line 2: column 4: "x" is not a whole number'],
    [message, "101,0,99,4", "B.csv: line 2: ask level 1: size 0"],
    [message, "101,5,-9999999999,4,", "B.csv: line 2: columns: 5 instead of 4 (--levels 1)"],
  ])("with %p and %p in its second line gives a fault that names the line", async (brokenMessage, brokenRow, fault) => {
    const { outcome, own } = await runLobster(1, text([message, brokenMessage, message]), text([row, brokenRow, row]));
    expect(outcome).toEqual({ ok: false, fault });
    expect(own).toEqual([row]);
  });

  test.each([
    ["101,5,99,4,100,6,98,3", "ask level 2: price 100 is not worse than the level before it"],
    ["101,5,99,4,102,6,99,3", "bid level 2: price 99 is not worse than the level before it"],
    ["9999999999,0,99,4,102,6,98,3", "ask level 2: below an empty level"],
  ])("with levels out of order is rejected: %p", async (broken, fault) => {
    expect((await runLobster(2, text([message]), text([broken]))).outcome).toEqual({
      ok: false,
      fault: `B.csv: line 1: ${fault}`,
    });
  });

  test("of book rows that is shorter or longer than the messages gives a fault that names the line", async () => {
    expect((await runLobster(1, text([message, "2,5,0,1,1,1", "3,5,0,1,1,1"]), text([row, row]))).outcome).toEqual({
      ok: false,
      fault: "B.csv: line 3: no row for message 3",
    });
    expect((await runLobster(1, text([message]), text([row, row]))).outcome).toEqual({
      ok: false,
      fault: "B.csv: line 2: no message for this row",
    });
  });
});
