// LOBSTER files made by hand: the exact book after each row, and the exact counts.

import { describe, expect, test } from "bun:test";
import type { LobsterReport } from "../../../engine/replay/lobster-replay.ts";
import { NO_COUNTS, runLobster, text } from "./lobster-run.ts";

/** A message, its recorded row, and the book's own row if it differs. */
type Step = readonly [message: string, row: string, own?: string];

/** All predicted levels match, unless the report says otherwise. */
async function expectRun(levels: number, steps: readonly Step[], report: Partial<LobsterReport>): Promise<void> {
  const messages = steps.map(([message], index) => `${34_200 + index}.000000001,${message}`);
  const run = await runLobster(levels, text(messages), text(steps.map(([, row]) => row)));
  expect(run.own).toEqual(steps.map(([, row, own]) => own ?? row));
  expect(run.outcome).toEqual({
    ok: true,
    report: {
      ...NO_COUNTS,
      rows: steps.length,
      matchedLevels: report.predictedLevels ?? 0,
      ...report,
    },
  });
}

// Columns of a message: type, order id, size, price, direction. Of a row: ask, size, bid, size for each level.
const SEED: Step = ["1,1,5,101,-1", "101,5,99,4,102,6,98,3"];

describe("the first row", () => {
  test("seeds the book without counting", async () => {
    await expectRun(2, [SEED], {});
  });

  test("seeds the book with any message", async () => {
    await expectRun(2, [["4,1,5,101,-1", SEED[1]], ["7,0,0,-1,-1", SEED[1]]], { predictedLevels: 4 });
  });

  test("may be empty on both sides", async () => {
    const empty = "9999999999,0,-9999999999,0";
    await expectRun(1, [["7,0,0,-1,-1", empty], ["1,1,5,101,-1", "101,5,-9999999999,0"]], { predictedLevels: 1 });
  });
});

describe("a submission", () => {
  test("inside the window adds a level, and the last level leaves", async () => {
    await expectRun(2, [SEED, ["1,2,7,100,1", "101,5,100,7,102,6,99,4"], ["1,3,1,101,-1", "101,6,100,7,102,6,99,4"]], {
      predictedLevels: 8,
    });
  });

  test("at the last price of the window joins its level", async () => {
    await expectRun(2, [SEED, ["1,2,7,98,1", "101,5,99,4,102,6,98,10"]], { predictedLevels: 4 });
  });

  test("outside the window is not added, and its level is anonymous when it is shown later", async () => {
    await expectRun(
      1,
      [
        ["1,1,5,101,-1", "101,5,99,4"],
        ["1,2,7,102,-1", "101,5,99,4"],
        ["3,1,5,101,-1", "102,7,99,4", "9999999999,0,99,4"],
        ["4,2,3,102,-1", "102,4,99,4"],
      ],
      { predictedLevels: 5, adoptedLevels: 1, executions: 1, executionsAnonymous: 1 },
    );
  });

  test("on a side with empty levels is known at any price", async () => {
    await expectRun(
      2,
      [
        ["1,1,5,101,-1", "101,5,99,4,9999999999,0,98,3"],
        ["1,2,7,150,-1", "101,5,99,4,150,7,98,3"],
        ["1,3,8,120,-1", "101,5,99,4,120,8,98,3"],
      ],
      { predictedLevels: 8 },
    );
  });

  test("of an order that is in the book already ends the run", async () => {
    const messages = text(["1,1,1,5,101,-1", "2,1,2,7,100,1", "3,1,2,7,100,1"]);
    const { outcome, own } = await runLobster(1, messages, text(["101,5,99,4", "101,5,100,7", "101,5,100,14"]));
    expect(outcome).toEqual({ ok: false, fault: "M.csv: line 3: order id: 2 is in the book already" });
    expect(own).toEqual(["101,5,99,4", "101,5,100,7"]);
  });
});

describe("a cancel", () => {
  test("of a part takes it from the order, which keeps its priority", async () => {
    await expectRun(
      1,
      [
        ["1,1,5,101,-1", "101,5,99,4"],
        ["1,2,7,100,1", "101,5,100,7"],
        ["1,3,2,100,1", "101,5,100,9"],
        ["2,2,3,100,1", "101,5,100,6"],
        ["4,2,1,100,1", "101,5,100,5"],
      ],
      { predictedLevels: 8, executions: 1, executionsAtHead: 1 },
    );
  });

  test("of a part of an order from before the first row takes it from the level's anonymous order", async () => {
    await expectRun(2, [SEED, ["2,77,2,102,-1", "101,5,99,4,102,4,98,3"]], { predictedLevels: 4 });
  });

  test("of a whole order removes only that order", async () => {
    await expectRun(
      1,
      [
        ["1,1,5,101,-1", "101,5,99,4"],
        ["1,2,7,100,1", "101,5,100,7"],
        ["1,3,2,100,1", "101,5,100,9"],
        ["3,2,7,100,1", "101,5,100,2"],
        ["4,3,2,100,1", "101,5,99,4", "101,5,-9999999999,0"],
      ],
      { predictedLevels: 7, adoptedLevels: 1, executions: 1, executionsAtHead: 1 },
    );
  });

  test("of a whole order from before the first row takes it from the anonymous order", async () => {
    await expectRun(
      2,
      [
        SEED,
        ["3,77,4,102,-1", "101,5,99,4,102,2,98,3"],
        ["3,78,2,102,-1", "101,5,99,4,103,9,98,3", "101,5,99,4,9999999999,0,98,3"],
      ],
      { predictedLevels: 7, adoptedLevels: 1 },
    );
  });

  test("outside the window changes nothing", async () => {
    await expectRun(2, [SEED, ["3,77,4,110,-1", SEED[1]], ["2,77,4,90,1", SEED[1]]], { predictedLevels: 8 });
  });
});

describe("a visible execution", () => {
  const steps: readonly Step[] = [
    SEED,
    ["1,2,7,100,1", "101,5,100,7,102,6,99,4"],
    ["1,3,2,100,1", "101,5,100,9,102,6,99,4"],
  ];

  test("of the order at the head takes its size from there", async () => {
    await expectRun(2, [...steps, ["4,2,7,100,1", "101,5,100,2,102,6,99,4"], [
      "4,3,1,100,1",
      "101,5,100,1,102,6,99,4",
    ]], { predictedLevels: 16, executions: 2, executionsAtHead: 2 });
  });

  test("of an order that is not at the head trades with that order, and counts as elsewhere", async () => {
    await expectRun(
      2,
      [
        ...steps,
        ["4,3,1,100,1", "101,5,100,8,102,6,99,4"],
        ["3,3,1,100,1", "101,5,100,7,102,6,99,4"],
        ["4,2,5,100,1", "101,5,100,2,102,6,99,4"],
        ["3,2,2,100,1", "101,5,99,4,102,6,98,3", "101,5,99,4,102,6,-9999999999,0"],
      ],
      { predictedLevels: 23, adoptedLevels: 1, executions: 2, executionsAtHead: 1, executionsElsewhere: 1 },
    );
  });

  test("of an order behind the anonymous one trades with that order, and counts as elsewhere", async () => {
    await expectRun(
      2,
      [
        SEED,
        ["1,2,3,101,-1", "101,8,99,4,102,6,98,3"],
        ["4,2,2,101,-1", "101,6,99,4,102,6,98,3"],
        ["3,2,1,101,-1", "101,5,99,4,102,6,98,3"],
        ["4,77,1,101,-1", "101,4,99,4,102,6,98,3"],
      ],
      { predictedLevels: 16, executions: 2, executionsElsewhere: 1, executionsAnonymous: 1 },
    );
  });

  test("of an order at a worse price than the best trades with that order", async () => {
    await expectRun(
      2,
      [...steps, ["1,4,6,99,1", "101,5,100,9,102,6,99,10"], ["4,4,2,99,1", "101,5,100,9,102,6,99,8"], [
        "3,4,4,99,1",
        "101,5,100,9,102,6,99,4",
      ]],
      { predictedLevels: 20, executions: 1, executionsElsewhere: 1 },
    );
  });

  test("of more than the named order takes the rest from other orders of its level", async () => {
    await expectRun(2, [...steps, ["4,3,4,100,1", "101,5,100,5,102,6,99,4"]], {
      predictedLevels: 12,
      executions: 1,
      executionsElsewhere: 1,
    });
  });

  test("of a named order at another price or on the other side trades with the level of the message", async () => {
    await expectRun(
      2,
      [
        ...steps,
        ["1,4,6,99,1", "101,5,100,9,102,6,99,10"],
        ["4,4,2,100,1", "101,5,100,7,102,6,99,10"],
        ["4,4,2,101,-1", "101,3,100,7,102,6,99,10"],
      ],
      { predictedLevels: 20, executions: 2, executionsElsewhere: 1, executionsAnonymous: 1 },
    );
  });

  test("of a sell order sends a buyer, which meets the anonymous order", async () => {
    await expectRun(
      2,
      [SEED, ["4,1,5,101,-1", "102,6,99,4,103,9,98,3", "102,6,99,4,9999999999,0,98,3"], [
        "4,88,6,102,-1",
        "103,9,99,4,104,1,98,3",
        "103,9,99,4,9999999999,0,98,3",
      ]],
      { predictedLevels: 6, adoptedLevels: 2, executions: 2, executionsAnonymous: 2 },
    );
  });

  test("meets the anonymous order before later ones", async () => {
    await expectRun(2, [SEED, ["1,2,3,101,-1", "101,8,99,4,102,6,98,3"], ["4,77,5,101,-1", "101,3,99,4,102,6,98,3"], [
      "4,2,3,101,-1",
      "102,6,99,4,103,1,98,3",
      "102,6,99,4,9999999999,0,98,3",
    ]], { predictedLevels: 11, adoptedLevels: 1, executions: 2, executionsAnonymous: 1, executionsAtHead: 1 });
  });

  test("at a price without orders trades nothing and leaves nothing in the book", async () => {
    await expectRun(2, [SEED, ["4,77,5,100,-1", SEED[1]], ["4,77,5,100,1", SEED[1]]], {
      predictedLevels: 8,
      executions: 2,
      executionsElsewhere: 2,
    });
  });
});

describe("a hidden execution, a cross and a halt", () => {
  test.each([["5,0,10,100,1"], ["6,-1,500,101,-1"], ["7,0,0,-1,-1"], ["7,0,0,0,-1"], ["7,0,0,1,-1"]])(
    "change nothing: %p",
    async (message) => {
      await expectRun(2, [SEED, ["1,2,7,100,1", "101,5,100,7,102,6,99,4"], [message, "101,5,100,7,102,6,99,4"], [
        "4,2,7,100,1",
        "101,5,99,4,102,6,98,3",
        "101,5,99,4,102,6,-9999999999,0",
      ]], { predictedLevels: 11, adoptedLevels: 1, executions: 1, executionsAtHead: 1 });
    },
  );
});

describe("a level", () => {
  test("that leaves the window and returns is anonymous, and its former order ids are unknown", async () => {
    await expectRun(
      1,
      [
        ["1,1,5,101,-1", "101,5,99,4"],
        ["1,2,7,100,1", "101,5,100,7"],
        ["1,3,1,101,-1", "101,6,100,7"],
        // A better bid pushes order 2 out of the window. When the better bid ends, order 2's level is shown again with
        // less quantity.
        ["1,4,2,103,1", "101,6,103,2"],
        ["3,4,2,103,1", "101,6,100,6", "101,6,-9999999999,0"],
        ["2,2,1,100,1", "101,6,100,5"],
        ["4,2,5,100,1", "101,6,98,8", "101,6,-9999999999,0"],
      ],
      { predictedLevels: 10, adoptedLevels: 2, executions: 1, executionsAnonymous: 1 },
    );
  });

  test("may have a negative price", async () => {
    await expectRun(2, [["1,1,5,-3,-1", "-3,5,-7,4,0,6,-8,3"], ["1,2,1,-5,1", "-3,5,-5,1,0,6,-7,4"], [
      "4,2,1,-5,1",
      "-3,5,-7,4,0,6,-8,2",
      "-3,5,-7,4,0,6,-9999999999,0",
    ]], { predictedLevels: 7, adoptedLevels: 1, executions: 1, executionsAtHead: 1 });
  });

  test("with a different recorded size counts as predicted and not matched, as long as the sizes differ", async () => {
    await expectRun(2, [SEED, ["5,0,1,100,1", "101,5,99,5,102,6,98,3", SEED[1]], [
      "5,0,1,100,1",
      "101,5,99,5,102,6,98,3",
      SEED[1],
    ], ["5,0,1,100,1", SEED[1]]], { predictedLevels: 12, matchedLevels: 10 });
  });

  test("inside the window in only the row or only the book counts against the prediction", async () => {
    const half = "101,5,99,4,9999999999,0,98,3";
    await expectRun(2, [["1,1,5,101,-1", half], ["5,0,1,100,1", "101,5,99,4,105,2,98,3", half]], {
      predictedLevels: 4,
      matchedLevels: 3,
    });
    await expectRun(2, [SEED, ["5,0,1,100,1", half, SEED[1]]], { predictedLevels: 4, matchedLevels: 3 });
  });
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
