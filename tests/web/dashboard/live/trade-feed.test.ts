// The trades of a contract over failures, gaps and a long time. Time passes as the tests say.

import { beforeEach, describe, expect, test } from "bun:test";
import { effect } from "@preact/signals";
import { h } from "preact";
import { atEnd } from "../../../support/at-end.ts";
import { Refusal, settle, show } from "../../support/browser.ts";
import { openDashboard } from "../../support/dashboard.ts";
import { at, NOON } from "../../support/market.ts";
import { update } from "../../updates.ts";

const { answers, applyUpdates, inState, later, sent } = await openDashboard();
const { TradeFeed } = await import("../../../../web/dashboard/live/trade-feed.ts");
const { Time } = await import("../../../../web/dashboard/live/time.tsx");

const trade = (sequence: number, change: object = {}) => {
  const data = { id: `T${sequence}`, contractId: "C", price: 100 + sequence, quantity: sequence, aggressorSide: 1 };
  return { sequence, category: "fill" as const, type: "new.trade", time: at(0), data: { ...data, ...change } };
};
const history = (sequence: number, more: object = {}) => ({
  ...{ contractId: "C", epoch: 7, sequence, candles: [], interval: 60, known: 0, isComplete: true, trades: [] },
  ...more,
});
const come = (...events: ReturnType<typeof trade>[]) => settle(() => applyUpdates([update({ events })]));
const HISTORY = "GET /dashboard/history/C";

async function started() {
  const feed = new TradeFeed("C");
  let stop = () => {};
  await settle(() => void (stop = feed.start()));
  atEnd(() => stop());
  return { feed, stop };
}
beforeEach(() => {
  answers[HISTORY] = history(0);
});

describe("the trades of a contract", () => {
  test("are asked for again three seconds after a failure, and not after the page is left", async () => {
    answers[HISTORY] = () => {
      throw new Refusal(503, { code: "not_connected", message: "No." });
    };
    const { feed, stop } = await started();
    const shown: string[] = [];
    atEnd(effect(() => void shown.push(feed.state.value)));
    expect([shown, sent.length]).toEqual([["unreachable"], 1]);
    await later(2_999);
    expect(sent.length).toBe(1);
    answers[HISTORY] = () => {
      throw new Refusal(404, { code: "not_found", message: "No." });
    };
    await later(3_000);
    expect([feed.state.value, sent.length]).toEqual(["unknown contract", 2]);
    answers[HISTORY] = history(3);
    await later(3_000);
    await come(trade(3), trade(4));
    expect([feed.state.value, feed.tape.map(({ id }) => id)]).toEqual(["loaded", ["T4"]]);
    answers[HISTORY] = () => {
      throw new Refusal(503, { code: "not_connected", message: "No." });
    };
    await settle(() => applyUpdates([update({ missed: 2, isWhole: true })]));
    expect([feed.state.value, sent.length]).toEqual(["unreachable", 4]);
    stop();
    await later(3_000);
    await come(trade(9));
    expect([sent.length, feed.tape.length]).toEqual([4, 1]);
    // What went wrong stays on the page until the next answer.
    expect(shown).toEqual(["unreachable", "unknown contract", "loaded", "unreachable"]);
  });

  test("are not those of an answer that comes late: after the page is left, or after a newer question", async () => {
    const asked: PromiseWithResolvers<object>[] = [];
    answers[HISTORY] = () => (asked.push(Promise.withResolvers()), asked.at(-1)!.promise);
    const { feed, stop } = await started();
    await settle(() => applyUpdates([update({ missed: 2, isWhole: true })]));
    await settle(() => asked[1]!.resolve(history(5)));
    await settle(() => asked[0]!.reject(new Refusal(503, { code: "not_connected", message: "No." })));
    expect([feed.state.value, asked.length]).toEqual(["loaded", 2]);
    await settle(() => applyUpdates([update({ missed: 2, isWhole: true })]));
    stop();
    await settle(() => asked[2]!.resolve(history(9, { isComplete: false })));
    expect(feed.isComplete).toBe(true);
  });

  test("are those of the contract, with what is shown of them; other events are none", async () => {
    const { feed } = await started();
    await come(trade(2), trade(3, { contractId: "D" }), { ...trade(4), type: "change.trade" });
    expect(feed.tape).toEqual([
      { id: "T2", contractId: "C", time: NOON, price: 102, quantity: 2, aggressorSide: 1 },
    ]);
  });

  test("are in candles of each length, after those of the history, which may be incomplete", async () => {
    const candle = { time: Date.parse(NOON) / 1_000 - 60, open: 1, high: 4, low: 1, close: 2, volume: 9, trades: 3 };
    answers[HISTORY] = history(1, { candles: [candle], isComplete: false });
    const { feed } = await started();
    await come(trade(2));
    expect(feed.isComplete).toBeFalse();
    const closes = (interval: Parameters<typeof feed.candles>[0]) =>
      feed.candles(interval).candles.map(({ close }) => close);
    expect([closes("1 min"), closes("5 min"), closes("1 h")]).toEqual([[2, 102], [2, 102], [2, 102]]);
  });

  test("are shown a quarter of a second after they have come, once for all of that time", async () => {
    const { feed, stop } = await started();
    await later(250);
    let shown = 0;
    atEnd(effect(() => {
      void feed.version.value;
      shown++;
    }));
    await come(trade(1), trade(2));
    await come(trade(3));
    await later(249);
    expect(shown).toBe(1);
    await later(250);
    expect(shown).toBe(2);
    await come(trade(4));
    await later(250);
    expect(shown).toBe(3);
    await come(trade(5));
    stop();
    await later(250);
    expect(shown).toBe(3);
  });

  test("are the newest five hundred at least and a thousand at most, however many come", async () => {
    const { feed } = await started();
    const all = Array.from({ length: 1_001 }, (_, number) => trade(number + 1));
    await come(...all.slice(0, 1_000));
    expect([feed.tape.length, feed.tape[0]!.id, feed.tape.at(-1)!.id]).toEqual([1_000, "T1000", "T1"]);
    await come(all[1_000]!);
    expect([feed.tape.length, feed.tape[0]!.id, feed.tape.at(-1)!.id]).toEqual([500, "T1001", "T502"]);
  });
});

test.each<[string, Parameters<typeof Time>[0], string]>([
  ["of the first market", { value: NOON }, "05:00:00"],
  ["of its market", { value: NOON, marketId: "B" }, "13:00:00"],
  ["in parts", { value: NOON, marketId: "B", parts: "minutes" }, "13:00"],
  ["with its age in market time", { value: at(-1), withAge: true }, "04:00:00 1 h ago"],
  ["that there is not", { value: null, withAge: true }, "–"],
])("a time %s", async (_name, given, expected) => {
  inState({ markets: [{}, { id: "B", timezone: "Europe/Berlin" }] });
  expect((await show(h(Time, given))).text).toBe(expected);
});
