// The page of events. reading.ts explains the notation.

import { beforeEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import type { FeedEvent } from "../../../web/contract/update.ts";
import { Refusal, settle, show, type Shown } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const dashboard = await openDashboard();
const { answers, applyUpdates, document } = dashboard;
const { default: Events } = await import("../../../web/dashboard/pages/events.tsx");

let sequence = 0;
const event = (type: string, category: FeedEvent["category"], data: FeedEvent["data"]): FeedEvent => (
  { sequence: ++sequence, type, category, time: NOON, data }
);
const arrive = (events: FeedEvent[], more: object = {}) => settle(() => applyUpdates([update({ events, ...more })]));

const ORDER = { id: "O1", contractId: "N-6", entityId: "CEDAR", side: 0, price: 4_600, quantity: 5, filledQuantity: 2 };
const TRADE = {
  id: "T1",
  contractId: "N-6",
  buyEntityId: "CEDAR",
  sellEntityId: "ASH",
  aggressorSide: 1,
  price: -25,
  quantity: 0.5,
};

describe("the page of events", () => {
  const events = async () => {
    answers["mkt_list_entities"] ??= { entities: [{ id: "CEDAR", name: "Cedar Power" }], cursor: null };
    return await show(h(Events, { argument: "" }));
  };
  const rows = (page: Shown) => page.all("tr").slice(1).map((row) => page.readingOf(row));

  beforeEach(() => arrive([], { continues: false, isWhole: true }));

  test("has the newest event first, with its side, words and links", async () => {
    await arrive([event("change.order", "order", ORDER), event("new.trade", "fill", TRADE)]);
    const page = await events();
    expect(rows(page)).toEqual([
      "05:00:00 | <new.trade> | ‹sell›sell 0.5 MW at −0.25 $/MWh | [N-6](#/contract/N-6) | [CEDAR](#/entities/CEDAR) " +
      "· [ASH](#/entities/ASH) |",
      "05:00:00 | <change.order> | ‹buy›buy 5 MW at 46.00 $/MWh, 2 MW filled | [N-6](#/contract/N-6) | " +
      "[CEDAR](#/entities/CEDAR) | [O1](#/order/O1)",
    ]);
    expect(page.text).toContain("Newest first\n2 shown, of the last 20,000 events");
    expect(page.text).toContain("<order 1 ✓> <fill 1 ✓> <pricing 0 ✓>");
    expect(page.all("events-fill").length).toBe(2);
  });

  test("tells all of one event, with prices, sides and links", async () => {
    await arrive([event("new.trade", "fill", { ...TRADE, more: { a: 1 } })]);
    const page = await events();
    await page.click("new.trade");
    expect(page.text).toContain("> 05:00:00");
    expect(page.text).toEndWith(`new.trade
<Close the details>
0.5 MW at −0.25 $/MWh
time: Mon, Nov 23, 2026, 05:00:00 MST
number: ${sequence}
category: fill
id: T1
contractId: [N-6](#/contract/N-6)
buyEntityId: [CEDAR](#/entities/CEDAR)
sellEntityId: [ASH](#/entities/ASH)
aggressorSide: sell
price: −0.25 $/MWh
quantity: 0.5
more: { "a": 1 }`);
    await page.click("Close the details");
    expect(page.text).not.toContain("number:");
  });

  test("hides a category and searches, and outlives the page", async () => {
    await arrive([event("change.order", "order", ORDER), event("new.trade", "fill", TRADE)]);
    const page = await events();
    await page.click("fill 1");
    expect([rows(page).length, page.text.includes("<fill 1>")]).toEqual([1, true]);
    expect(rows(await events())).toHaveLength(1);
    await page.click("fill 1");
    expect([rows(page).length, page.text.includes("Show all")]).toEqual([2, false]);
    await page.click("fill 1");
    await page.click("Show all");
    expect([rows(page).length, page.text.includes("Show all")]).toEqual([2, false]);
    await page.type("Search events by type, id or name", "cedar power trade");
    expect(rows(page)).toHaveLength(1);
    await page.type("Search events by type, id or name", "xyz");
    expect(page.text).toEndWith("No kept event passes the filter");
    await page.type("Search events by type, id or name", "");
  });

  test("stands still while it is paused, and then has all that came", async () => {
    await arrive([event("new.trade", "fill", TRADE)]);
    const page = await events();
    const space = (more: object = {}) => settle(() => void document.dispatch({ type: "keydown", key: " ", ...more }));
    await space();
    await arrive([event("new.trade", "fill", TRADE), event("new.trade", "fill", TRADE)]);
    expect(rows(page)).toHaveLength(1);
    expect(page.text).toContain("2 new <‹primary›Go on space>");
    expect(page.text).toContain("Paused\n1 shown");
    for (const more of [{ repeat: true }, { ctrlKey: true }, { altKey: true }, { metaKey: true }, { key: "x" }]) {
      await space(more);
    }
    expect(page.text).toContain("Paused\n");
    await page.click("Go on space");
    expect(rows(page)).toHaveLength(3);
    expect(page.text).not.toMatch(/ new\n|no longer kept/);
  });

  test("says after a pause how many of its events are no longer kept, until the next pause", async () => {
    const page = await events();
    const toggle = () => settle(() => void document.dispatch({ type: "keydown", key: " " }));
    await toggle();
    await arrive(Array.from({ length: 20_005 }, () => event("new.trade", "fill", TRADE)));
    expect(page.text).not.toContain("no longer kept");
    await toggle();
    expect(page.text).toContain("5 events of the pause are no longer kept.\nThe newest 1,000 that pass the filter");
    await toggle();
    expect(page.text).not.toContain("no longer kept");
  });

  test("pauses by itself when somebody scrolls away, and not before", async () => {
    await arrive(Array.from({ length: 100 }, () => event("new.trade", "fill", TRADE)));
    const page = await events();
    const box = page.all("events-box")[0]!;
    const scroll = (top: number) =>
      settle(() => {
        box.scrollTop = top;
        box.dispatch({ type: "scroll" });
      });
    const heights = () => page.all("spacer").map(({ style }) => style["height"]);
    expect([heights(), page.all("tr").length]).toEqual([[`${(100 - 33) * 27}px`], 1 + 33 + 1]);
    await scroll(27);
    expect(page.text).toContain("Newest first");
    await scroll(540);
    expect(page.text).toContain("Paused\n");
    expect(heights()).toEqual([`${10 * 27}px`, `${(100 - 53) * 27}px`]);
    expect(page.all("tr")[2]!.attributes.get("aria-rowindex")).toBe("12");
    await page.click("Go on space");
    expect(box.scrollTop).toBe(0);
  });

  test("says where events are missing, and how many come in a second", async () => {
    const page = await events();
    expect(page.text).toEndWith("No events yet");
    await arrive([event("new.trade", "fill", TRADE)]);
    await arrive([event("new.trade", "fill", TRADE)], { missed: 1_234 });
    expect(rows(page)[1]).toBe("1,234 events are missing here: they came faster than they could be sent. | | |");
    await arrive([event("new.trade", "fill", TRADE)], { missed: null });
    expect(rows(page)[1]).toStartWith("Events may be missing here: the page lost its connection.");
    expect(page.text).toContain("0 events/s");
    const { now } = performance;
    performance.now = () => now.call(performance) + 3_600_000;
    await dashboard.later(1_000);
    const from = performance.now();
    performance.now = () => from + 500;
    await arrive(Array.from({ length: 3 }, () => event("new.trade", "fill", TRADE)));
    await dashboard.later(1_000);
    performance.now = now;
    expect(page.text).toMatch(/\b6 events\/s/);
  });

  test("says that names can't be searched if they can't be read", async () => {
    answers["mkt_list_entities"] = () => {
      throw new Refusal(403, { code: "forbidden", message: "No." });
    };
    expect((await events()).text).toContain("The names of entities can't be read now");
    delete answers["mkt_list_entities"];
    expect((await events()).text).not.toContain("can't be read");
  });
});
