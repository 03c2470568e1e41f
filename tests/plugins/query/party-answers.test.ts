// Positions and users in pages: their notes, totals and cursors, and what is asked of the backend.

import { describe, expect, test } from "bun:test";
import type { ToolContext } from "../../../core/tools/context.ts";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import { positionsShown } from "../../../plugins/query/entity-positions.ts";
import users from "../../../plugins/query/users.ts";
import { ownSignal } from "../../support/own-signal.ts";
import { snapshotOf } from "../support/still-market.ts";

const position = (contractId: string, day: number, profit: number) => ({
  contractId,
  netQuantity: 1,
  netEnergy: 24,
  cash: 1,
  realisedProfit: 0,
  unrealisedProfit: profit,
  profit,
  deliveryStart: `2030-06-0${day}T00:00:00.000Z`,
  deliveryEnd: `2030-06-0${day + 1}T00:00:00.000Z`,
  timezone: "UTC",
});
const POSITIONS = [position("C1", 1, 5), position("C2", 1, -7), position("C3", 2, 1)];
const TOTALS = { contracts: 3, profit: -1, creditUsed: 9, settled: { contracts: 0, profit: 0 } };

function contextOf(totals: object = {}) {
  const asked: unknown[][] = [];
  const signal = ownSignal();
  const context = {
    signal,
    snapshot: snapshotOf({}),
    advice: NEUTRAL_ADVICE,
    configuration: { backend: { userId: "u" } },
    pubsub: { session: { userId: "u", entityId: "A", capabilities: ["Market.View"] } },
    backend: {
      positions: (...all: unknown[]) => {
        asked.push(all);
        return Promise.resolve({
          asOf: "2030-06-05T00:00:00.000Z",
          positions: POSITIONS,
          totals: { ...TOTALS, ...totals },
        });
      },
      users: (...all: unknown[]) => {
        asked.push(all);
        return Promise.resolve(["A", "B", "A", "B"].map((entityId, at) => ({ id: `u${at}`, entityId, name: "n" })));
      },
    },
  } as unknown as ToolContext;
  return { context, asked, signal };
}

describe("positions", () => {
  const shown = async (given: object = {}, totals: object = {}) => {
    const { context, asked, signal } = contextOf(totals);
    const answer = await positionsShown("A", { limit: 30, cursor: undefined, ...given }, context) as Record<
      string,
      unknown
    >;
    return { answer, asked, signal };
  };
  const SUMS = { contracts: 2, netEnergy: 48, cash: 2, realisedProfit: 0, unrealisedProfit: -2, profit: -2 };

  test("have the totals of all, or the sums of a day, whether they come by contract or summed up", async () => {
    const { answer, asked, signal } = await shown();
    expect(asked).toEqual([["A", signal]]);
    expect(answer).toMatchObject({ count: 3, total: 3, totals: TOTALS, asOf: "2030-06-05T00:00:00.000Z" });
    expect((await shown({ by: "day" })).answer).toMatchObject({ count: 2, totals: TOTALS });
    const day = (await shown({ day: "2030-06-01" })).answer;
    expect([day["totals"], (day["positions"] as object[]).map((row) => (row as { contractId: string }).contractId)])
      .toEqual([SUMS, ["C2", "C1"]]);
    expect((await shown({ day: "2030-06-01", by: "day" })).answer).toMatchObject({
      totals: SUMS,
      sums: [{ day: "2030-06-01" }],
    });
  });

  test.each<[object, object, RegExp[]]>([
    [{}, {}, []],
    [{}, { creditUsed: null }, [/^creditUsed is null/]],
    [{ by: "day" }, { creditUsed: null }, []],
    [{ day: "2030-06-01" }, {}, [/^Deliveries that end after 2030-06-01T00:00:00.000Z/]],
    [{ day: "2030-06-01" }, { creditUsed: null }, [/^Deliveries/, /creditUsed is null/]],
    [{}, { settled: { contracts: 2, profit: 4 } }, []],
    [{ by: "hour" }, { settled: { contracts: 2, profit: 4 } }, [
      /^2 more contracts were settled .* profit of 4 dollars/,
    ]],
    [{ day: "2030-06-01" }, { settled: { contracts: 2, profit: 4 } }, [
      /^Deliveries/,
      / 2 more contracts were settled/,
    ]],
  ])("asked for with %j and totals %j have their notes", async (given, totals, notes) => {
    const { note } = (await shown(given, totals)).answer as { note?: string };
    if (notes.length === 0) return expect(note).toBeUndefined();
    for (const each of notes) expect(note).toMatch(each);
    expect(note?.includes("creditUsed")).toBe(notes.some((each) => each.source.includes("creditUsed")));
  });

  test("go on with their cursor only for the same entity, day and sums", async () => {
    const { cursor } = (await shown({ limit: 1 })).answer;
    expect((await shown({ limit: 1, cursor })).answer["positions"]).toMatchObject([{ contractId: "C2" }]);
    for (const other of [{ by: "day" }, { by: "hour" }, { day: "2030-06-01" }]) {
      await expect(shown({ limit: 1, cursor, ...other })).rejects.toMatchObject({ code: "invalid_input" });
    }
  });

  test("show times of delivery only if they are asked for", async () => {
    const keys = async (fields?: string[]) =>
      Object.keys(((await shown({ limit: 1, fields })).answer["positions"] as object[])[0]!);
    expect(await keys()).not.toContain("deliveryStart");
    expect(await keys(["deliveryEnd"])).toEqual(["contractId", "deliveryEnd"]);
    expect(await keys(["all"])).toContain("timezone");
    await expect(keys(["cahs"])).rejects.toMatchObject({ message: 'fields: "cahs" is not one of these columns.' });
  });
});

test("users of one entity are all of those alone, page by page, and a cursor is that of its entity", async () => {
  const [, listUsers] = users;
  const list = async (input: object) => {
    const { context } = contextOf();
    return await listUsers!.handler({ limit: 1, ...input } as never, context) as {
      users: { id: string }[];
      cursor: string;
      total: number;
    };
  };
  const first = await list({ entityId: "B" });
  expect([first.users.map(({ id }) => id), first.total]).toEqual([["u1"], 2]);
  expect((await list({ entityId: "B", cursor: first.cursor })).users.map(({ id }) => id)).toEqual(["u3"]);
  for (const other of [{}, { entityId: "A" }]) {
    await expect(list({ ...other, cursor: first.cursor })).rejects.toMatchObject({ code: "invalid_input" });
  }
});
