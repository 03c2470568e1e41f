// The page of all contracts. reading.ts explains the notation.

import { beforeEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import type { ContractRow } from "../../../web/contract/market.ts";
import { nextTask, settle, show, type Shown } from "../support/browser.ts";
import { replaced } from "../../support/replaced.ts";
import { openDashboard } from "../support/dashboard.ts";
import type { SmallElement } from "../support/small-document.ts";
import { BOOK, EMPTY, hour } from "../support/market.ts";
import { update } from "../updates.ts";

const dashboard = await openDashboard();
const { answers, applyUpdates, inState, listeners, location } = dashboard;
const { default: Contracts } = await import("../../../web/dashboard/pages/contracts/contracts.tsx");

const SOON = hour(0.5, { contractId: "SOON" });
const LATER = hour(3, { bestBid: 4_700, bestAsk: 4_600, tradedQuantity: 2.5, workingOrders: 1_000 });
const BARE = hour(4, EMPTY);
const WEST = hour(5, { contractId: "W-11", node: "WEST", productName: "WEST hours", bestBid: 4_600, bestAsk: 4_600 });

/** The market has these contracts and no others. */
function list(...contracts: ContractRow[]): Promise<void> {
  return settle(() => applyUpdates([update({ isWhole: true, contracts, books: [BOOK] })]));
}

const SPARKS = { epoch: 7, sequence: 0, prices: { "N-9": [4_600, 4_650], SOON: [4_700, 4_650] } };

beforeEach(async () => {
  answers["GET /dashboard/sparks"] = SPARKS;
  await list(SOON, LATER, BARE, WEST);
});

const rows = (page: Shown) => page.all("tr").map((row) => page.readingOf(row));

describe("the page of all contracts", () => {
  const contracts = () => show(h(Contracts, { argument: "" }));

  test("adds up energy, because MW of an hour and of a day can't be added", async () => {
    await list(hour(3, { hours: 24, tradedQuantity: 10 }), hour(4, { tradedQuantity: 5 }));
    expect((await contracts()).text).toContain("2 traded 245 MWh traded");
  });

  test("adds up the market, and shows each contract with its prices, sizes, trend and marks", async () => {
    const page = await contracts();
    expect(page.text.split("\n")[1]).toBe("4 contracts 3 traded 2,471 MWh traded 1,024 orders ‹crossed›1 crossed");
    expect(rows(page).slice(0, 4)).toEqual([
      "<Contract ▴> | ‹bid›<Bid> | ‹ask›<Ask> | <Spread> | <Last> | <MW> | Trend | <Change> | <Orders>",
      "[Hour 6](#/contract/SOON) ‹info›30 min 05:30–06:30 SOON | ‹bid›46.005 | ‹ask›46.757.5 | 0.75 | ‹down›▼46.50 | 1,234 | ‹down›| " +
      "‹down›▼ −0.50 | 12",
      "[Hour 9](#/contract/N-9) ‹warning›crossed 08–09 h N-9 | ‹bid›47.005 | ‹ask›46.007.5 | −1.00 | ‹up›▲46.50 | 2.5 | ‹up›| " +
      "‹up›▲ +0.50 | 1,000",
      "[Hour 10](#/contract/N-10) 09–10 h N-10 | ‹bid›– | ‹ask›– | – | – | | | | 0",
    ]);
    expect(rows(page).at(-1)).toContain("‹warning›locked");
    expect(page.text).toContain("NORTH Hours of Mon, Nov 23");
  });

  test("marks a contract that delivers now, and none that begins later than in an hour", async () => {
    await list(hour(0), hour(1), hour(1.001));
    expect(rows(await contracts()).slice(1).map((row) => /‹info›(delivers|\d+ \w+) /.exec(row)?.[1] ?? ""))
      .toEqual(["delivers", "1 h", ""]);
  });

  test("chooses a node, a kind of delivery and words, and says that nothing matches", async () => {
    const page = await contracts();
    const ids = () => page.all("tr").flatMap(({ dataset }) => dataset["contract"] ?? []);
    expect(ids()).toEqual(["SOON", "N-9", "N-10", "W-11"]);
    await page.click("WEST");
    expect(ids()).toEqual(["W-11"]);
    await page.click("All nodes");
    await page.type("Filter contracts by name, product or id", "n-10 HOUR");
    expect(ids()).toEqual(["N-10"]);
    await page.click("Days, weeks");
    expect(page.text).toEndWith("No contract matches the filter\n<Show all contracts>");
    await page.click("Show all contracts");
    expect(ids()).toHaveLength(4);
    await list(hour(1));
    expect(page.text).not.toContain("All nodes");
  });

  test.each([
    ["Bid", ["N-9", "SOON", "N-10"], "highest"],
    ["Spread", ["SOON", "N-9", "N-10"], "highest"],
    ["Orders", ["N-9", "SOON", "N-10"], "highest"],
    ["MW", ["SOON", "N-9", "N-10"], "highest"],
    ["Change", ["N-9", "SOON", "N-10"], "highest"],
  ])("is sorted by %s, the highest first, and back by delivery", async (column, expected, word) => {
    const page = await contracts();
    const ids = () => page.all("tr").flatMap(({ dataset }) => dataset["contract"] ?? []).slice(0, 3);
    await page.click(column);
    expect(page.text).toContain(`, ${word} first`);
    await nextTask();
    expect(ids()).toEqual(expected);
    await page.click(`${column} ▾`);
    expect(page.text).toContain(", lowest first");
    await page.click(page.readingOf(page.all("contracts-tools")[0]!).match(/<(Sorted by .*)>/)![1]!);
    await nextTask();
    expect([ids(), page.text.includes("Sorted by")]).toEqual([["SOON", "N-9", "N-10"], false]);
    await page.click("Contract ▴");
    await nextTask();
    expect([ids()[0], page.text.includes("Sorted by delivery, highest first")]).toEqual(["N-10", true]);
    await page.click("Contract ▾");
  });

  test("tells screen readers the column that it is sorted by, and the order that its arrow shows", async () => {
    await list(SOON, LATER);
    const page = await contracts();
    const told = () =>
      page.all("th").flatMap((head) => {
        const order = head.attributes.get("aria-sort");
        return order === undefined ? [] : `${page.readingOf(head).replaceAll(/‹.*›| \|$/g, "")} ${order}`;
      });
    expect(told()).toEqual(["<Contract ▴> ascending"]);
    for (
      const [column, expected] of [
        ["Bid", "<Bid ▾> descending"],
        ["Bid ▾", "<Bid ▴> ascending"],
        ["Orders", "<Orders ▾> descending"],
        ["Contract", "<Contract ▴> ascending"],
        ["Contract ▴", "<Contract ▾> descending"],
        ["Contract ▾", "<Contract ▴> ascending"],
      ] as const
    ) {
      await page.click(column);
      expect(told()).toEqual([expected]);
    }
  });

  test("opens a contract by a click anywhere in its row, but for one on a link", async () => {
    const page = await contracts();
    const row = page.all("tr").find(({ dataset }) => dataset["contract"] === "N-9")!;
    location.hash = "";
    await settle(() =>
      void [...row.descendants()].find(({ localName }) => localName === "a")!.dispatch({ type: "click" })
    );
    expect(location.hash).toBe("");
    await settle(() =>
      void [...row.descendants()].find(({ localName }) => localName === "td")!.dispatch({ type: "click" })
    );
    expect(location.hash).toBe("#/contract/N-9");
    location.hash = "";
    const click = (element: SmallElement) => settle(() => void element.dispatch({ type: "click" }));
    await click(page.all("contracts-spark")[0]!);
    expect(location.hash).toBe("");
    const { getSelection } = globalThis;
    globalThis.getSelection = () => ({ type: "Range" }) as Selection;
    await click([...row.descendants()].find(({ localName }) => localName === "td")!);
    globalThis.getSelection = getSelection;
    expect(location.hash).toBe("");
  });

  test("draws only the rows near what can be seen, eight in a task, in their places, and each as it changes", async () => {
    const soon = new Set<unknown>();
    const { setTimeout: later, clearTimeout: forget } = globalThis;
    replaced(globalThis, "setTimeout", (run: () => void, ms = 0) => {
      if (ms > 0) return later(run, ms);
      soon.add(run);
      return run;
    });
    replaced(globalThis, "clearTimeout", (timer: unknown) => void (soon.delete(timer) || forget(timer as Timer)));
    const task = () =>
      settle(() => {
        const tasks = [...soon] as (() => void)[];
        soon.clear();
        for (const run of tasks) run();
      });
    const hours = Array.from({ length: 100 }, (_, at) => hour(1 + at / 100, { contractId: `C-${at}` }));
    await list(...hours);
    const page = await contracts();
    const drawn = () => page.all("tr").flatMap(({ dataset }) => dataset["contract"] ?? []);
    const places = () => page.all("tr").flatMap(({ attributes }) => attributes.get("aria-rowindex") ?? []);
    const heights = () => page.all("spacer").map(({ style }) => style["height"]);
    const lengths = async () => {
      const lengths: number[] = [];
      while (soon.size > 0) {
        await task();
        lengths.push(drawn().length);
      }
      return lengths;
    };
    // 900 pixels are a head and 34 rows of 26; a row more is near.
    expect([drawn().length, await lengths()]).toEqual([8, [16, 24, 32, 35]]);
    await dashboard.later(100);
    expect([await lengths(), drawn()[0], heights()]).toEqual([[38], "C-0", [`${62 * 26}px`]]);
    expect([...page.all("table")].map(({ attributes }) => attributes.get("aria-rowcount"))).toEqual(["101"]);

    const box = page.all("contracts-box")[0]!;
    box.getBoundingClientRect = () => ({ left: 0, top: -1_326, width: 100 });
    await settle(() => void listeners.dispatch({ type: "scroll" }));
    // After the frame that scrolls.
    expect([drawn().length, drawn()[0]]).toEqual([38, "C-0"]);
    expect([await lengths(), drawn()[0]]).toEqual([[8, 16, 24, 32, 37], "C-49"]);
    await dashboard.later(100);
    expect([await lengths(), drawn()[0], places()[0]]).toEqual([[43], "C-46", "48"]);
    expect(heights()).toEqual([`${46 * 26}px`, "286px"]);
    await settle(() => applyUpdates([update({ contracts: [{ ...hours[50]!, lastPrice: 100 }] })]));
    expect(page.readingOf(page.all("tr").find(({ dataset }) => dataset["contract"] === "C-50")!)).toContain("1.00");

    // A key that takes the focus further: what follows is drawn before that.
    box.getBoundingClientRect = () => ({ left: 0, top: -26, width: 100 });
    await settle(() => void listeners.dispatch({ type: "keydown", key: "ArrowDown" }));
    expect(drawn()[0]).toBe("C-46");
    await settle(() => void listeners.dispatch({ type: "keydown", key: "Tab" }));
    expect([drawn().length, drawn()[0], await lengths(), drawn()[0]]).toEqual([16, "C-0", [24, 32, 36], "C-0"]);

    // A group that is far away has its place, and no table until the focus may come to it, from before or after it.
    box.getBoundingClientRect = () => ({ left: 0, top: 2_000, width: 100 });
    await settle(() => void listeners.dispatch({ type: "resize" }));
    await dashboard.later(100);
    await task();
    expect([page.all("table").length, box.style["minBlockSize"]]).toEqual([0, `${101 * 26}px`]);
    await settle(() => void listeners.dispatch({ type: "keydown", key: "Tab" }));
    expect([page.all("table").length, drawn()]).toEqual([1, hours.slice(0, 8).map(({ contractId }) => contractId)]);
    Object.assign(document, { activeElement: page.all("take-along").at(-1) });
    for (let times = 0; times < 2; times++) {
      await settle(() => void listeners.dispatch({ type: "keydown", key: "Tab", shiftKey: true }));
    }
    Reflect.deleteProperty(document, "activeElement");
    expect(drawn()).toEqual(hours.slice(-8).map(({ contractId }) => contractId));
  });

  test.each(
    [
      ["connected", "No contracts are listed\nThe market lists its next ones by itself."],
      [
        "disconnected",
        "The market is not connected\nThe contracts appear once this server has connected to the market.",
      ],
    ] as const,
  )("without contracts says why, if the server is %s", async (status, expected) => {
    await list();
    inState({ connection: { status } });
    expect((await contracts()).text).toEndWith(expected);
    dashboard.market.isKnown.value = false;
    expect((await contracts()).text).not.toContain(expected);
  });

  test("says neither that it is empty nor that it is not connected before it could be connected", async () => {
    await list();
    inState({ connection: { status: "disconnected", asOf: null } });
    const page = await contracts();
    expect([page.text, page.all("skeleton").length]).toEqual(["Market", 1]);
    await settle(() => inState({ connection: { status: "disconnected" } }));
    expect([page.text.includes("0 contracts"), page.text.includes("not connected")]).toEqual([false, true]);
    await settle(() => inState({}));
    expect(page.text).toContain("0 contracts");
  });
});
