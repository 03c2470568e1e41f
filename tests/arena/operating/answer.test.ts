import { describe, expect, test } from "bun:test";
import { episodeOf } from "./support.ts";

describe("the answer to an operating scenario", () => {
  test("has a schema, which the brief gives", async () => {
    const { call } = episodeOf("price-mover");
    expect(await call("mkt_arena_brief")).toMatchObject({
      scenario: "price-mover",
      amounts: { node: expect.any(String), percent: expect.any(Number) },
      terms: null,
      answer: {
        type: "object",
        properties: { contract: { type: "string" }, user: { type: "string" }, orders: { type: "array" } },
        additionalProperties: false,
      },
      result: null,
    });
  });

  test("tells nothing of what it is scored against", async () => {
    for (const name of ["price-mover", "false-report"]) {
      const text = JSON.stringify(await episodeOf(name).call("mkt_arena_brief"));
      expect(text).not.toMatch(/truth|weight|incident"|offender|"trader"/);
    }
  });

  test("is refused with what is wrong if it does not fit, and the episode goes on", async () => {
    const { call, finish } = episodeOf("false-report");
    const faults: readonly [Record<string, unknown>, string][] = [
      [{ verdict: "maybe" }, 'answer.verdict: there is no "maybe"; give one of true, false.'],
      [{ orders: "ORD-1" }, "answer.orders: must be a list"],
      [{ orders: [1] }, "answer.orders.0: must be a text"],
      [{ culprit: "ann" }, "culprit: no such parameter."],
    ];
    for (const [answer, fault] of faults) {
      const refused = await call("mkt_arena_submit", { answer });
      expect(refused).toMatchObject({
        error: {
          code: "invalid_input",
          message: expect.stringContaining(fault),
          hint: expect.stringContaining("Correct these fields"),
        },
      });
    }
    expect(await call("mkt_arena_brief")).toMatchObject({ minutesLeft: 60 });
    expect(finish()).toMatchObject({ score: 0, ended: null });
  });

  test("counts once: the first that fits ends the episode", async () => {
    const { call, finish } = episodeOf("lost-answer", 2);
    expect(await call("mkt_arena_submit", { answer: { tookEffect: "no" } })).toMatchObject({
      message: "The episode is over.",
    });
    const again = await call("mkt_arena_submit", { answer: { tookEffect: "yes" } });
    expect(JSON.stringify(again)).toContain("The episode is over");
    const { operating } = finish();
    expect(operating?.parts[0]).toMatchObject({ name: "tookEffect" });
    const other = episodeOf("lost-answer", 2);
    await other.call("mkt_arena_submit", { answer: { tookEffect: "yes" } });
    const shares = [operating, other.finish().operating].map((each) => each?.parts[0]?.share);
    expect(shares.toSorted()).toEqual([0, 1]);
  });

  test("may leave out what is not known", async () => {
    const { call, finish } = episodeOf("runaway-trader");
    await call("mkt_arena_submit", { answer: {} });
    expect(finish()).toMatchObject({ score: 0, ended: "agent" });
  });
});
