// What a page shows while it loads, after a failure, and after it has come back; and rows of events that are scrolled away.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { Refusal, settle, show } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const { answers, applyUpdates, later } = await openDashboard();
const { default: Credit } = await import("../../../web/dashboard/pages/credit/credit.tsx");
const { default: Entities } = await import("../../../web/dashboard/pages/entities.tsx");
const { default: Events } = await import("../../../web/dashboard/pages/events.tsx");
const { default: Order } = await import("../../../web/dashboard/pages/order/order.tsx");
const { default: Simulation } = await import("../../../web/dashboard/pages/simulation.tsx");
const { default: Spot } = await import("../../../web/dashboard/pages/spot.tsx");

const MATRIX = { revision: 1, asOf: NOON, entities: [], pairs: [], total: 0, truncated: false };
const SPOT = { status: "running", congested: false, events: [], nodes: [] };
const ENTITIES = { entities: [{ id: "E", name: "Elm", code: "E", userIds: [], creditStatus: "ok" }], cursor: null };
const TRAIL = { orderId: "O", hasMore: false, cursor: null, events: [], note: "Nothing is kept." };
const ORDER = {
  ...{ id: "O", contractId: "C", marketId: "M", entityId: "E", userId: "u", side: "BUY", timeInForce: "gtc" },
  ...{ createdAt: NOON, updatedAt: NOON, price: 1, quantity: 1, filledQuantity: 0, remainingQuantity: 1 },
  ...{ averagePrice: null, status: "working", closeReason: null, blockedBy: [] },
};
const STATUS = { status: "stopped", startedAt: null, strategies: [], personas: [], total: 0, totals: {}, metrics: {} };

test.each([
  ["credit", Credit, "", "GET /dashboard/credit", MATRIX, "No credit to see"],
  ["spot prices", Spot, "", "mkt_sim_get_spot_prices", SPOT, "No spot prices"],
  ["entities", Entities, "", "mkt_list_entities", ENTITIES, "1 entities"],
  ["a simulation", Simulation, "", "mkt_sim_status", STATUS, "No simulation has run yet"],
  ["an order", Order, "O", "mkt_get_order", ORDER, "until cancelled"],
])(
  "%s: a skeleton while it loads, an error in its place, then the value, which a later error leaves",
  async (...given) => {
    const [, Page, argument, asked, value, text] = given;
    const loading = Promise.withResolvers();
    answers["mkt_get_order_events"] = TRAIL;
    answers[asked] = () => loading.promise;
    const page = await show(h(Page, { argument }));
    const seen = () => [page.all("skeleton").length > 0, page.text.includes("timeout Late."), page.text.includes(text)];
    const states = [seen()];
    await settle(() => loading.reject(new Refusal(504, { code: "timeout", message: "Late." })));
    states.push(seen());
    answers[asked] = value;
    await page.click("Try again");
    states.push(seen());
    answers[asked] = () => {
      throw new Refusal(504, { code: "timeout", message: "Late." });
    };
    await later(15_000);
    states.push(seen());
    expect(states).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
      [false, true, true],
    ]);
  },
);

describe("rows of events that are scrolled away", () => {
  const event = (sequence: number) => (
    {
      sequence,
      type: "new.trade",
      category: "fill" as const,
      time: NOON,
      data: { id: `T${sequence}`, aggressorSide: 0 },
    }
  );
  const come = (from: number, to: number) =>
    settle(() =>
      applyUpdates([update({ events: Array.from({ length: to - from + 1 }, (_, at) => event(from + at)) })])
    );

  test("are those in view and a few around, pause the feed, and are the newest again when it goes on", async () => {
    answers["mkt_list_entities"] = ENTITIES;
    await come(1, 200);
    const page = await show(h(Events, { argument: "" }));
    const box = page.all("events-box")[0]!;
    const shown = () => {
      const rows = page.all("tr").flatMap(({ attributes }) => attributes.get("aria-rowindex") ?? []).map(Number);
      const spacers = page.all("spacer").map(({ style }) => style["height"]);
      return [rows[0], rows.at(-1), rows.length, ...spacers, page.text.includes("Paused")];
    };
    const scroll = (top: number) =>
      settle(() => {
        box.scrollTop = top;
        box.dispatch({ type: "scroll" });
      });
    expect(shown()).toEqual([2, 34, 33, `${167 * 27}px`, false]);
    await scroll(20);
    expect(shown().at(-1)).toBe(false);
    await scroll(27 * 100);
    expect(shown()).toEqual([92, 134, 43, `${90 * 27}px`, `${67 * 27}px`, true]);
    await come(201, 203);
    expect([page.text.includes("3 new"), box.scrollTop]).toEqual([true, 2_700]);
    await scroll(27 * 190);
    expect(shown()).toEqual([182, 201, 20, `${180 * 27}px`, true]);
    await settle(() =>
      void page.all("button").find((button) => page.readingOf(button).includes("Go on"))!.dispatch({ type: "click" })
    );
    expect([box.scrollTop, shown().at(-1)]).toEqual([0, false]);
  });

  test("and the side of one event in words", async () => {
    const page = await show(h(Events, { argument: "" }));
    await page.click("new.trade");
    expect(page.text).toContain("aggressorSide: buy");
  });
});
