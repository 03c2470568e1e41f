// The page of a contract, taken back in time. reading.ts explains the notation. It is 05:00 on Monday.

import { beforeEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import { Refusal, settle, show } from "../../support/browser.ts";
import { openDashboard } from "../../support/dashboard.ts";
import { BOOK, hour, NOON } from "../../support/market.ts";
import {
  before,
  event,
  EVENTS,
  goBack,
  HISTORY,
  MINUTE,
  PAST_ANSWERS,
  refuse,
  START,
  whole,
} from "../../support/past-market.ts";
import { update } from "../../updates.ts";

const { answers, applyUpdates, document, inState, location, sent } = await openDashboard("/control");
const { default: Contract } = await import("../../../../web/dashboard/pages/contracts/contract.tsx");
const { hasShortcuts, listenToKeys } = await import("../../../../web/dashboard/frame/shortcuts.ts");
const { marketNow } = await import("../../../../web/dashboard/live/market-clock.ts");
const { backToLive } = await import("../../../../web/dashboard/pages/then/time-shown.ts");
const { pageCommands } = await import("../../../../web/dashboard/page-commands.ts");

const asked = () => sent.filter(({ path }) => path.startsWith("/dashboard/past")).map(({ path }) => path);

beforeEach(async () => {
  Object.assign(answers, PAST_ANSWERS);
  location.hash = "#/contract/N-6";
  backToLive();
  await settle(() => applyUpdates([update({ isWhole: true, contracts: [hour(0)], books: [BOOK] })]));
});

const contract = () => show(h(Contract, { argument: "N-6" }));

describe("a contract at an earlier time", () => {
  test("is live at first, and reads nothing of the past", async () => {
    const page = await contract();
    expect(page.text).toContain("Bid, $/MWh");
    expect([page.text.includes("not live"), asked(), location.hash]).toEqual([false, [], "#/contract/N-6"]);
  });

  test("has the book, the trades, the spot price and the own position of that time, and its address has the time", async () => {
    const page = await contract();
    await goBack(page, 15);
    expect(page.text).toContain("As it was at 04:45:00 — not live");
    expect(page.text).toContain("records since Nov 23, 03:30:00");
    expect(location.hash).toBe(`#/contract/N-6?at=${encodeURIComponent(before(15))}`);
    expect(asked()[0]).toBe("/dashboard/past/orders?contract=N-6");
    // After the fill: 3 of 4 MW.
    expect(page.text).toContain("3 | 1 | ‹bid›▭100% 3 | ‹bid›45.50, best bid");
    expect(page.text).toContain("‹ask›47.00, best ask | ‹ask›▭66.7% 2 | 1 | 2");
    expect(page.text).toContain("04:40:00 | ‹sell›45.50 | 1 | ‹sell›▼ seller");
    expect(page.text).toContain("Spot at NORTH, $/MWh: 41.00 / of 04:30:00, base");
    expect(page.text).toContain("Position, MW: +2");
    await goBack(page, 30);
    // Before the fill.
    expect(page.text).toContain("4 | 1 | ‹bid›▭100% 4 | ‹bid›45.50, best bid");
    expect(page.text).toContain("No trades until then.");
    expect(page.text).toContain("Last, $/MWh: – / older than what is known, or none");
    expect(page.text).toContain("Position, MW: +1");
    await goBack(page, 50);
    // Before it came.
    expect(page.text).not.toContain("best bid");
    expect(page.text).toContain("Spot at NORTH, $/MWh: 40.00 / of 04:00:00, base");
    // All that was read once.
    expect(asked().filter((path) => path.startsWith("/dashboard/past?"))).toHaveLength(1);
  });

  test("has nothing that could be operated, and the live page has it again", async () => {
    answers["mkt_find_modules"] = ({ moduleType }: { moduleType: string }) => ({
      modules: moduleType === "CONTRACT"
        ? [{
          ...hour(0),
          id: "N-6",
          name: "N-6",
          status: "listed",
          lot: 0.1,
          tick: 1,
          minimumPrice: 0,
          maximumPrice: 9_999,
        }]
        : [],
    });
    inState({ connection: { permissions: ["Market.View", "Order.Submit"] } });
    const page = await contract();
    expect(page.all("trade")).toHaveLength(1);
    await goBack(page, 15);
    expect(page.all("trade")).toHaveLength(0);
    expect(page.all("button").map((button) => page.readingOf(button)).filter((name) => /Buy|Sell|Cancel/.test(name)))
      .toEqual([]);
    await page.click("Live");
    expect(page.all("trade")).toHaveLength(1);
    expect(location.hash).toBe("#/contract/N-6");
  });

  test.each(["l", "L", "Escape"])("is left for the live one with the key %s", async (key) => {
    hasShortcuts.value = true;
    const nothing = () => {};
    const others = { search: nothing, help: nothing, mute: nothing, watch: nothing, palette: nothing };
    listenToKeys({ ...others, live: backToLive });
    const page = await contract();
    await goBack(page, 15);
    const commands = () => pageCommands().filter(({ title }) => title === "Back to live").length;
    expect(commands()).toBe(1);
    await settle(() => document.dispatch({ type: "keydown", key, timeStamp: 0 }));
    expect([page.text.includes("not live"), commands()]).toEqual([false, 0]);
    expect(page.text).toContain("Bid, $/MWh");
  });

  test("is left with the page, but stays with the neighbours", async () => {
    const page = await contract();
    await goBack(page, 15);
    location.hash = "#/contract/N-7?at=" + encodeURIComponent(before(15));
    await page.redraw(null);
    const neighbour = await contract();
    expect(neighbour.text).toContain("As it was at 04:45:00");
    location.hash = "#/events";
    await neighbour.redraw(null);
    location.hash = "#/contract/N-6";
    expect((await contract()).text).not.toContain("not live");
  });

  test("goes to a time that is written, and to no time that has not come", async () => {
    const page = await contract();
    await goBack(page, 15);
    await page.type("Time, MST", "4:20:30");
    await settle(() => void page.all("form")[0]!.dispatch({ type: "submit" }));
    expect(page.text).toContain("As it was at 04:20:30 — not live");
    await page.type("Time, MST", "now");
    await settle(() => void page.all("form")[0]!.dispatch({ type: "submit" }));
    expect(page.text).not.toContain("not live");
  });

  test("has the position of another entity, if it may be seen", async () => {
    const page = await contract();
    await goBack(page, 15);
    answers["mkt_get_entity"] = { positions: [], cursor: null };
    await page.type("of", "ASH", "change");
    expect(page.text).toContain("Position, MW: 0");
    answers["mkt_get_entity"] = refuse;
    await page.type("of", "CEDAR", "change");
    expect(page.text).toContain("Position, MW: not known");
    expect(page.text).toContain("best bid");
  });

  test("shows nothing before the oldest record", async () => {
    const page = await contract();
    await goBack(page, 100);
    expect(page.text).toContain("The page can go back to Nov 23, 03:30:00\nThe audit trail has no older records.");
    expect(page.all("ladder")).toHaveLength(0);
  });

  test("counts orders of which it is unknown whether they waited, and does not draw them", async () => {
    const halt = { moduleType: "MARKET", moduleId: "M", orderId: null, entityId: null };
    const changes = [
      { ...event(9, 12, "marketResumed", "", { status: "open", previousStatus: "halted" }), ...halt },
    ];
    answers["GET /dashboard/past/orders"] = { ...START, changes };
    answers["GET /dashboard/past"] = whole(EVENTS.slice(0, 1));
    const page = await contract();
    await goBack(page, 15);
    expect(page.text).toContain("1 order left out: it is unknown whether they waited or were in the book.");
    expect(page.text).not.toContain("best bid");
    await goBack(page, 11);
    expect(page.text).toContain("best bid");
  });

  test("draws no book for whoever may not see all orders, and says so", async () => {
    inState({ connection: { userId: "eve", permissions: ["Order.Submit"] } });
    answers["GET /dashboard/past/orders"] = refuse;
    answers["GET /dashboard/past"] = refuse;
    answers["GET /dashboard/history/N-6"] = { ...HISTORY, trades: [], isComplete: false };
    const page = await contract();
    await goBack(page, 15);
    expect(page.text).toContain("Only those who may see all orders can see an earlier book");
    expect(page.text).toContain("Trades until then are not known");
    expect([page.all("ladder").length, page.all("tape").length, page.text.includes("ORD-")]).toEqual([0, 0, false]);
    expect(page.text).toContain("Last, $/MWh: – / not known");
    expect(page.text).toContain("Position, MW: not known");
  });

  test("reads again for a time that came after the page went back", async () => {
    const page = await contract();
    await goBack(page, 15);
    await settle(() => void (marketNow.value = Date.parse(NOON) + 30 * MINUTE));
    answers["GET /dashboard/past/orders"] = { ...START, orders: [] };
    await page.type("Time, MST", "5:20");
    await settle(() => void page.all("form")[0]!.dispatch({ type: "submit" }));
    expect(page.text).toContain("As it was at 05:20:00 — not live");
    expect(page.text).not.toContain("best ask");
    expect(asked().filter((path) => path.startsWith("/dashboard/past/orders"))).toHaveLength(4);
  });

  test("forgets what another acting user saw", async () => {
    const page = await contract();
    await goBack(page, 15);
    expect(page.text).toContain("best bid");
    answers["GET /dashboard/past/orders"] = refuse;
    answers["GET /dashboard/history/N-6"] = refuse;
    await settle(() => inState({ connection: { userId: "eve", permissions: [] } }));
    expect(page.text).toContain("Only those who may see all orders can see an earlier book");
    expect([page.all("ladder").length, page.all("tape").length]).toEqual([0, 0]);
  });

  test("says how far back it reads in a busy market", async () => {
    const many = Array.from({ length: 1_000 }, (_, id) => ({ ...EVENTS[0]!, id: String(id), time: before(1) }));
    answers["GET /dashboard/past"] = { events: many, cursor: "more", searchedTo: before(5) };
    const page = await contract();
    await goBack(page, 15);
    expect(page.text).toContain(
      "The page can go back to Nov 23, 04:55:00\nIt reads no more than the 10,000 events since then.",
    );
    expect(page.all("ladder")).toHaveLength(0);
    await goBack(page, 5);
    expect(page.all("ladder")).toHaveLength(1);
    expect(asked().filter((path) => path.startsWith("/dashboard/past?"))).toHaveLength(10);
  });

  test("can be tried again after a failure", async () => {
    answers["GET /dashboard/past/orders"] = () => {
      throw new Refusal(503, { code: "backend_unavailable", message: "The audit trail is behind the market." });
    };
    const page = await contract();
    await goBack(page, 15);
    expect(page.text).toContain("The audit trail is behind the market.");
    answers["GET /dashboard/past/orders"] = START;
    await page.click("Try again");
    expect(page.text).toContain("best bid");
  });
});
