// What stays on the screen while its subject changes: another order or entity, prices that move, lists that are sorted by them.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { Badge } from "../../../web/components/badge.tsx";
import { Button } from "../../../web/components/button.tsx";
import { Panel } from "../../../web/components/panel.tsx";
import { Spark } from "../../../web/components/spark.tsx";
import type { CreditPair } from "../../../web/contract/credit.ts";
import { nextTask, Refusal, settle, show } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { at, BOOK, hour, NOON } from "../support/market.ts";
import { SmallElement } from "../support/small-document.ts";
import { update } from "../updates.ts";

const { answers, applyUpdates, inState, later, market, sent } = await openDashboard();
const { matchMedia } = globalThis;
/** This person has not asked for less motion. */
globalThis.matchMedia = (query) => ({ ...matchMedia(query), matches: !query.includes("reduced-motion") });
const { default: Contract } = await import("../../../web/dashboard/pages/contracts/contract.tsx");
const { default: Contracts } = await import("../../../web/dashboard/pages/contracts/contracts.tsx");
const { default: Credit } = await import("../../../web/dashboard/pages/credit/credit.tsx");
const { default: Entities } = await import("../../../web/dashboard/pages/entities.tsx");
const { flash } = await import("../../../web/dashboard/pages/contracts/flash.ts");
const { default: Order } = await import("../../../web/dashboard/pages/order/order.tsx");
const { pageTitle } = await import("../../../web/dashboard/pages/page-head.tsx");
const { ControlGate, SignIn } = await import("../../../web/dashboard/frame/sign-in.tsx");

const { Search } = await import("../../../web/dashboard/frame/search.tsx");

type Given = Readonly<Record<string, unknown>>;
const come = (given: Parameters<typeof update>[0]) => settle(() => applyUpdates([update(given)]));
let sequence = 0;
const happens = (type: string, data: Given) =>
  come({ events: [{ sequence: ++sequence, category: "order", type, time: NOON, data }] });
/** How often a tool was asked about something. */
const asked = (tool: string, words: string) =>
  sent.filter(({ path, body }) => path.endsWith(tool) && JSON.stringify(body).includes(words)).length;

describe("from one to another", () => {
  test("an order: nothing of the first stays, and the events of the second alone are followed", async () => {
    answers["mkt_get_order"] = ({ orderId }: Given) =>
      orderId === "O3" ? new Promise(() => {}) : {
        ...{
          id: orderId,
          contractId: `about ${orderId}`,
          marketId: "M",
          entityId: "E",
          userId: "u",
          side: "BUY",
          timeInForce: "gtc",
        },
        ...{ createdAt: NOON, updatedAt: NOON, price: 1, quantity: 1, filledQuantity: 0, remainingQuantity: 1 },
        ...{ averagePrice: null, status: "working", closeReason: null, blockedBy: [] },
      };
    answers["mkt_get_order_events"] = ({ orderId }: Given) => (
      { orderId, hasMore: false, cursor: null, events: [], note: `none of ${orderId}` }
    );
    const page = await show(h(Order, { argument: "O1" }));
    expect([page.text.includes("about O1"), pageTitle.value]).toEqual([true, "O1"]);
    await page.redraw(h(Order, { argument: "O2" }));
    expect([page.text.includes("about O2"), page.text.includes("O1"), pageTitle.value]).toEqual([true, false, "O2"]);
    const reads: number[] = [];
    for (const data of [{ id: "O1" }, { id: "O2" }, { orderId: "O2" }, { orderId: "O1" }]) {
      const before = asked("mkt_get_order", "O2");
      await happens("change.order", data);
      reads.push(asked("mkt_get_order", "O2") - before);
    }
    expect([reads, asked("mkt_get_order", "O1")]).toEqual([[0, 1, 1, 0], 1]);
    await page.redraw(h(Order, { argument: "O3" }));
    expect([page.text.includes("O2"), page.all("skeleton").length]).toEqual([false, 1]);
  });

  test("an entity: the trades of the second alone are followed", async () => {
    answers["mkt_get_entity"] = ({ entityId, positions }: Given) => {
      if (positions) throw new Refusal(503, { code: "busy", message: "No." });
      return { id: entityId, name: `name of ${entityId}`, code: "X", userIds: [], creditStatus: "ok" };
    };
    const page = await show(h(Entities, { argument: "ASH" }));
    await page.redraw(h(Entities, { argument: "ELM" }));
    expect([page.text.includes("name of ELM"), page.text.includes("ASH"), pageTitle.value])
      .toEqual([true, false, "name of ELM"]);
    const reads: number[] = [];
    for (const buyEntityId of ["ASH", "ELM", "OAK"]) {
      const before = asked("mkt_get_entity", '"positions":true');
      await happens("new.trade", { buyEntityId, sellEntityId: "X" });
      await later(2_000);
      reads.push(asked("mkt_get_entity", '"positions":true') - before);
    }
    expect(reads).toEqual([0, 1, 0]);
  });

  test("a form to sign in: the window's title is what it is for", async () => {
    await show(h(SignIn, {}));
    expect(pageTitle.value).toBe("Sign in");
    inState({ session: { access: "view" } });
    await show(h(ControlGate, {}));
    expect(pageTitle.value).toBe("Take control");
  });

  test("a place in the results of a search: it is brought into sight, and named while the list is open", async () => {
    answers["GET /dashboard/search"] = {
      ...{ text: "e", hasMore: false },
      results: ["A", "B"].map((id) => ({ kind: "contract", id, title: id, detail: "expired" })),
    };
    const scrolled: string[] = [];
    const { scrollIntoView } = SmallElement.prototype;
    SmallElement.prototype.scrollIntoView = function (this: SmallElement) {
      scrolled.push(this.attributes.get("id")!.slice(-1));
    };
    const page = await show(h(Search, {}));
    const field = page.all("input")[0]!;
    const named = () => field.attributes.get("aria-activedescendant")?.slice(-1);
    const seen = [named()];
    await page.type("Search contracts, entities, orders, users", "e");
    await later();
    seen.push(named());
    for (const key of ["ArrowDown", "ArrowUp", "Escape"]) {
      await settle(() => void field.dispatch({ type: "keydown", key }));
      seen.push(named());
    }
    SmallElement.prototype.scrollIntoView = scrollIntoView;
    expect([seen, scrolled]).toEqual([[undefined, "0", "1", "0", undefined], ["0", "1", "0"]]);
    const before = sent.length;
    await page.type("Search contracts, entities, orders, users", "  ");
    await later();
    expect([sent.length - before, page.text]).toEqual([0, "{_ _}"]);
  });
});

describe("prices that move", () => {
  const list = (...rows: ReturnType<typeof hour>[]) => come({ isWhole: true, contracts: rows });
  const rising = (price: number) => ({ bestBid: price, bestAsk: price + 50, lastPrice: price });

  test("flash the way they went, in the cell that has changed, and not when they first come", async () => {
    const flashes: string[] = [];
    const { animate } = SmallElement.prototype;
    SmallElement.prototype.animate = function (this: SmallElement, ...[frames]: unknown[]) {
      flashes.push(`${this.attributes.get("class")} ${JSON.stringify(frames).match(/flash-\w+/)}`);
      return { finished: Promise.resolve() as Promise<never> };
    } as typeof animate;
    await list(hour(2, { bestBid: 100, bestAsk: 200, lastPrice: null }));
    const page = await show(h(Contracts, { argument: "" }));
    const seen: string[][] = [];
    for (
      const change of [
        { bestBid: 110, bestAsk: 200, lastPrice: null },
        { bestBid: 110, bestAsk: 150, lastPrice: 150 },
        { bestBid: null, bestAsk: 150, lastPrice: 140 },
        { bestBid: -20, bestAsk: 150, lastPrice: 140 },
        { bestBid: -10, bestAsk: 150, lastPrice: 140 },
      ]
    ) {
      flashes.length = 0;
      await come({ contracts: [hour(2, change)] });
      seen.push([...flashes]);
    }
    await page.redraw(null);
    SmallElement.prototype.animate = animate;
    expect(seen).toEqual([
      ["number contracts-bid flash-up"],
      ["number contracts-ask flash-down"],
      ["number contracts-last flash-down"],
      [],
      ["number contracts-bid flash-up"],
    ]);
  });

  test("flash forty at a time at most", async () => {
    let begun = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cell = { animate: () => (begun++, { finished: promise }) } as unknown as HTMLElement;
    for (let count = 0; count < 50; count++) flash(cell, "up");
    expect(begun).toBe(40);
    await settle(resolve);
    flash(cell, "down");
    expect(begun).toBe(41);
  });

  test("sort a list again from time to time while it is sorted by them, and only then", async () => {
    await list(hour(2, rising(300)), hour(3, rising(200)), hour(4, rising(100)));
    const page = await show(h(Contracts, { argument: "" }));
    const order = () => page.all("tr").flatMap(({ dataset }) => dataset["contract"] ?? []).join();
    await page.click("Bid");
    await nextTask();
    expect(order()).toBe("N-8,N-9,N-10");
    await come({ contracts: [hour(4, rising(900))] });
    expect(order()).toBe("N-8,N-9,N-10");
    await later(3_000);
    expect(order()).toBe("N-10,N-8,N-9");
    await page.click("Contract");
    await nextTask();
    expect(order()).toBe("N-8,N-9,N-10");
    await come({ contracts: [hour(2, rising(1))] });
    await later(3_000);
    expect(order()).toBe("N-8,N-9,N-10");
  });

  test("draw all groups of a long list, some frames later", async () => {
    await list(...[0, 24, 48, 72, 96].map((day) => hour(day + 2)));
    const page = await show(h(Contracts, { argument: "" }));
    for (let frame = 0; frame < 6; frame++) {
      await settle(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())) as never);
    }
    expect(page.all("tr").flatMap(({ dataset }) => dataset["contract"] ?? []).length).toBe(5);
  });
});

test("own orders on either side alone are explained below the book", async () => {
  answers["GET /dashboard/history/N-8"] = () => new Promise(() => {});
  await come({ isWhole: true, contracts: [hour(2)] });
  for (const [sides, has] of [[["BUY"], true], [["SELL"], true], [[], false], [["BUY", "SELL"], true]] as const) {
    answers["mkt_find_modules"] = ({ moduleType }: Given) => (
      { modules: moduleType === "ORDER" ? sides.map((side) => ({ side, price: 1, remainingQuantity: 1 })) : [] }
    );
    const page = await show(h(Contract, { argument: "N-8" }));
    await come({ books: [{ ...BOOK, contractId: "N-8" }] });
    expect([sides, page.text.includes("◆ own orders")]).toEqual([sides, has]);
    await page.redraw(null);
  }
});

describe("the page of credit", () => {
  const pair = (entityId: string, counterpartyId: string): CreditPair => ({
    ...{ entityId, counterpartyId, tradable: true, reason: null, sentence: "", limits: [], limitsLeftOut: 0 },
    documentation: { entity: "docs_in_place", counterparty: "docs_in_place" },
  });
  const matrix = (revision: number) => ({
    ...{ revision, asOf: at(revision), total: 2, truncated: false },
    entities: ["ASH", "ELM", "OAK"].map((id) => ({ id, name: id, code: id })),
    pairs: [pair("ASH", "ELM"), pair("ASH", "OAK")],
  });

  test("is read again if credit has changed, and only then", async () => {
    let revision = 1;
    answers["GET /dashboard/credit"] = () => matrix(revision);
    market.creditRevision.value = 1;
    const page = await show(h(Credit, { argument: "" }));
    const reads = () => sent.filter(({ path }) => path === "/dashboard/credit").length;
    expect([reads(), page.text.includes("as of 06:00:00")]).toEqual([1, true]);
    await later(3_000);
    expect(reads()).toBe(1);
    revision = 2;
    await come({ creditRevision: 2 });
    await later(3_000);
    await later(3_000);
    expect([reads(), page.text.includes("as of 07:00:00")]).toEqual([2, true]);
  });

  test("brings the details of each pair that is chosen into sight", async () => {
    answers["GET /dashboard/credit"] = matrix(1);
    let scrolls = 0;
    const { scrollIntoView } = SmallElement.prototype;
    SmallElement.prototype.scrollIntoView = () => void scrolls++;
    const page = await show(h(Credit, { argument: "ASH" }));
    const seen: number[] = [];
    for (const name of ["ELM", "OAK", "OAK"]) {
      scrolls = 0;
      await page.click(name);
      seen.push(scrolls);
    }
    SmallElement.prototype.scrollIntoView = scrollIntoView;
    expect([seen.slice(0, 2), page.text.includes("ASH and OAK")]).toEqual([[1, 1], true]);
  });
});

test.each<[name: string, shown: Parameters<typeof show>[0], shapes: number]>([
  ["a badge", h(Badge, { children: "B", icon: "alert" }), 1],
  ["a badge without an icon", h(Badge, { children: "B" }), 0],
  ["a button", h(Button, { children: "B", icon: "play" }), 1],
  ["a button without an icon", h(Button, { children: "B" }), 0],
  ["prices", h(Spark, { prices: [1, 2] }), 1],
  ["no prices", h(Spark, { prices: [] }), 0],
])("%s: its picture", async (_name, shown, shapes) => {
  const page = await show(shown);
  expect(page.all("path").length > 0 || page.all("icon").length > 0).toBe(shapes === 1);
});

test.each([
  [{ flush: true }, "panel panel-flush"],
  [{}, "panel"],
  [{ class: "x" }, "panel x"],
])("a panel with %j is %p", async (given, expected) => {
  const page = await show(h(Panel, { title: "T", children: "C", ...given }));
  expect(page.all("section")[0]!.attributes.get("class")!.trim().replace(/\s+/g, " ")).toBe(expected);
});
