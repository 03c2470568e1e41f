// The frame around every page while pages change and fail, what passes while control lasts, and searches that are overtaken.

import { describe, expect, spyOn, test } from "bun:test";
import { h } from "preact";
import { atEnd } from "../../support/at-end.ts";
import { settle, show } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { SmallElement } from "../support/small-document.ts";

const heights: { tell: () => void; observed: unknown[]; isOver: boolean }[] = [];
const dashboard = await openDashboard();
const { answers, document, inState, later, listeners, location, sent } = dashboard;
globalThis.ResizeObserver = class {
  readonly #own: (typeof heights)[number];
  constructor(tell: () => void) {
    heights.push(this.#own = { tell, observed: [], isOver: false });
  }
  observe(element: unknown) {
    this.#own.observed.push(element);
  }
  disconnect() {
    this.#own.isOver = true;
  }
} as unknown as typeof ResizeObserver;
const { PAGES } = await import("../../../web/dashboard/page-list.ts");
const { App } = await import("../../../web/dashboard/app.tsx");
const { ControlBand } = await import("../../../web/dashboard/frame/control-band.tsx");
const { focusSearch, Search } = await import("../../../web/dashboard/frame/search.tsx");
const { PageHead } = await import("../../../web/dashboard/pages/page-head.tsx");

const shownPages: string[] = [];
let fault: Error | null = null;
const market = PAGES[0] as { component: unknown };
const { component } = market;
market.component = ({ argument }: { readonly argument: string }) => {
  if (fault !== null) throw fault;
  shownPages.push(argument);
  return h(PageHead, { title: `market ${argument}` });
};
atEnd(() => void (market.component = component));

const goTo = (hash: string) =>
  settle(() => {
    location.hash = hash;
    listeners.dispatch({ type: "hashchange" });
  });
/** What has got the focus, by its id. */
function focused() {
  const ids: string[] = [];
  const spied = spyOn(SmallElement.prototype, "focus").mockImplementation(function (this: SmallElement) {
    ids.push(this.attributes.get("id") ?? this.localName);
  });
  atEnd(() => spied.mockRestore());
  return ids;
}

describe("the frame", () => {
  test("goes to the heading and the top of another page, also of another argument, and not of the first one", async () => {
    const scrolls = spyOn(globalThis, "scrollTo").mockImplementation(() => {});
    atEnd(() => scrolls.mockRestore());
    const ids = focused();
    await goTo("#/market/A");
    const page = await show(h(App, {}));
    expect([ids, scrolls.mock.calls.length]).toEqual([[], 0]);
    await goTo("#/market/B");
    await settle(() => inState({ frozen: { reason: null, since: null } }));
    expect([ids, scrolls.mock.calls]).toEqual([["page-title"], [[0, 0]]]);
    expect([shownPages[0], shownPages.at(-1), page.text.includes("market B")]).toEqual(["A", "B", true]);
    await goTo("#/market/A");
    expect(ids.splice(0)).toEqual(["page-title", "page-title"]);
    const [skip] = page.all("skip");
    expect([skip!.dispatch({ type: "click" }), ids]).toEqual([true, ["page-title"]]);
  });

  test("says that there is no page at an address that names none, and shows the market at one without a name", async () => {
    await goTo("#/nowhere/1");
    const page = await show(h(App, {}));
    expect(page.text).toContain("No such page");
    expect(page.text).toContain("The link may be old, or mistyped: #/nowhere/1");
    expect(page.text).not.toMatch(/\]\(#\/\w+\)\*/);
    for (
      const [hash, isMarket] of [["#market", false], ["#/", true], ["#x", false], ["#", true], ["", true]] as const
    ) {
      await goTo(hash);
      expect([hash, page.text.includes("No such page"), page.text.includes("[Market Market](#/market)*")])
        .toEqual([hash, !isMarket, isMarket]);
    }
    await goTo("#/nowhere");
    expect(page.text).toContain("[Go to the market](#/market)");
  });

  test("stays if a page fails, which says so and can be tried again; another page is not touched by it", async () => {
    const reported: unknown[] = [];
    const report = spyOn(globalThis, "reportError").mockImplementation((error) => void reported.push(error));
    atEnd(() => report.mockRestore());
    fault = new Error("No such row");
    await goTo("#/market/A");
    const page = await show(h(App, {}));
    expect(page.text).toContain("This page failed: No such row.");
    expect(page.text).toContain("The rest of the dashboard goes on.");
    expect([page.text.includes("Acting user"), page.text.includes("CONTROL"), reported]).toEqual([true, true, [fault]]);
    fault = null;
    await page.click("Try again");
    expect([page.text.includes("This page failed"), page.text.includes("market A")]).toEqual([false, true]);
    fault = new Error("again");
    await goTo("#/market/B");
    expect(page.text).toContain("This page failed: again.");
    fault = null;
    await goTo("#/market/C");
    expect([page.text.includes("This page failed"), page.text.includes("market C")]).toEqual([false, true]);
  });

  test("tells the style sheet how high its top is, until it is gone", async () => {
    heights.length = 0;
    await goTo("#/market");
    const page = await show(h(App, {}));
    const [top] = heights;
    expect((top!.observed[0] as SmallElement).attributes.get("class")).toBe("top");
    (top!.observed[0] as { offsetHeight?: number }).offsetHeight = 88;
    top!.tell();
    expect(document.documentElement.style["--top"]).toBe("88px");
    await page.redraw(null);
    expect(top!.isOver).toBeTrue();
  });

  test("shows control in control alone", async () => {
    await goTo("#/market");
    const page = await show(h(App, {}));
    expect(page.text).toContain("CONTROL");
    await settle(() => inState({ session: { access: "view" } }));
    expect([page.text.includes("This page can change"), page.text.includes("Take control")]).toEqual([false, true]);
  });
});

test("the time that control still lasts goes down each second", async () => {
  let now = Date.parse("2026-11-23T12:00:00Z");
  const clock = spyOn(Date, "now").mockImplementation(() => now);
  atEnd(() => clock.mockRestore());
  inState({ session: { expiresAt: new Date(now + 600_000).toISOString() } });
  const page = await show(h(ControlBand, {}));
  const shown: (string | undefined)[] = [];
  for (const ms of [0, 1_000, 59_000, 539_000]) {
    now += ms;
    await later(1_000);
    shown.push(/Ends in [\d:]+/.exec(page.text)?.[0]);
  }
  expect(shown).toEqual(["Ends in 10:00", "Ends in 9:59", "Ends in 9:00", "Ends in 0:01"]);
});

describe("the search", () => {
  const FIELD = "Search contracts, entities, orders, users";
  const result = (id: string) => ({
    text: id,
    hasMore: false,
    results: [{ kind: "entity", id, title: id, detail: "" }],
  });
  const press = (page: Awaited<ReturnType<typeof show>>, key: string) =>
    settle(() => void page.all("input")[0]!.dispatch({ type: "keydown", key }));

  test("asks once for what was typed last, and an answer to older text is dropped", async () => {
    const asked: { readonly path: string; readonly answer: (value: unknown) => Promise<void> }[] = [];
    answers["GET /dashboard/search"] = (path: string) => {
      const { promise, resolve } = Promise.withResolvers();
      asked.push({ path, answer: (value) => settle(() => resolve(value)) });
      return promise;
    };
    const page = await show(h(Search, {}));
    await page.type(FIELD, "e");
    await page.type(FIELD, "el m");
    await later(149);
    expect(asked).toEqual([]);
    await later(150);
    expect([asked.map(({ path }) => path), page.text]).toEqual([
      ["/dashboard/search?text=el%20m"],
      "{_el m_}\nSearching…",
    ]);
    await page.type(FIELD, "oak");
    await later(150);
    await asked[1]!.answer(result("OAK"));
    await asked[0]!.answer(result("ELM"));
    expect([page.text.includes("OAK"), page.text.includes("ELM"), asked.length]).toEqual([true, false, 2]);
    // What was found stays while more is asked for.
    await page.type(FIELD, "oaks");
    await later(150);
    expect([page.text.includes("OAK"), page.text.includes("Searching")]).toEqual([true, false]);
    await page.type(FIELD, "");
    expect(page.text).toBe("{__}");
    await asked[2]!.answer(result("ASH"));
    expect(page.text).toBe("{__}");
  });

  test("opens the chosen result with Enter, and with no result nothing", async () => {
    answers["GET /dashboard/search"] = result("OAK");
    location.hash = "";
    const page = await show(h(Search, {}));
    await press(page, "Enter");
    expect(location.hash).toBe("");
    await page.type(FIELD, "oak");
    await later(150);
    await press(page, "Enter");
    expect([location.hash, page.text]).toEqual(["#/entities/OAK", "{__}"]);
  });

  test("opens with Enter what is found for all letters, never what was found for fewer", async () => {
    answers["GET /dashboard/search"] = result("CEDAR");
    location.hash = "";
    const page = await show(h(Search, {}));
    await page.type(FIELD, "r");
    await later(150);
    answers["GET /dashboard/search"] = result("RIVER");
    await page.type(FIELD, "ri ");
    await press(page, "Enter");
    expect([location.hash, page.text.includes("CEDAR")]).toEqual(["", true]);
    await later(150);
    expect([location.hash, page.text]).toEqual(["#/entities/RIVER", "{__}"]);
    // Who types on after Enter has changed the question.
    location.hash = "";
    await page.type(FIELD, "r");
    await press(page, "Enter");
    await page.type(FIELD, "ri");
    await later(150);
    expect([location.hash, page.text.includes("RIVER")]).toEqual(["", true]);
  });

  test("is left with Escape, from the empty field for good; other keys are the field's own", async () => {
    const blurs = spyOn(SmallElement.prototype, "blur");
    atEnd(() => blurs.mockRestore());
    answers["GET /dashboard/search"] = result("OAK");
    const page = await show(h(Search, {}));
    await page.type(FIELD, "oak");
    await later(150);
    await press(page, "Escape");
    expect([page.text, blurs.mock.calls.length]).toEqual(["{__}", 0]);
    await press(page, "Escape");
    expect(blurs.mock.calls.length).toBe(1);
    const prevented = ["ArrowDown", "ArrowUp", "Enter", "Escape", "x", "Tab"]
      .map((key) => page.all("input")[0]!.dispatch({ type: "keydown", key }));
    await settle();
    expect(prevented).toEqual([true, true, true, true, false, false]);
  });

  test("closes if the focus leaves it, and not while it stays in it", async () => {
    answers["GET /dashboard/search"] = result("OAK");
    const page = await show(h(Search, {}));
    await page.type(FIELD, "oak");
    await later(150);
    const [search] = page.all("search");
    const [option] = page.all("search-option");
    Object.assign(search!, { contains: (node: unknown) => node === option });
    const seen: boolean[] = [];
    for (const relatedTarget of [option, page.root, null]) {
      await settle(() => void page.all("input")[0]!.dispatch({ type: "focusin" }));
      await page.type(FIELD, "oak");
      await settle(() => void page.all("input")[0]!.dispatch({ type: "focusout", relatedTarget } as never));
      seen.push(page.text.includes("OAK"));
    }
    expect(seen).toEqual([true, false, false]);
  });

  test("says that the server can't be reached, and is chosen by its key", async () => {
    answers["GET /dashboard/search"] = () => {
      throw new TypeError("fetch failed");
    };
    const selected = spyOn(SmallElement.prototype, "select");
    atEnd(() => selected.mockRestore());
    focusSearch();
    const page = await show(h(Search, {}));
    focusSearch();
    expect(selected.mock.calls.length).toBe(1);
    await page.type(FIELD, "oak");
    await later(150);
    expect([page.text, sent.length]).toEqual(["{_oak_}\nThe server can't be reached.", 1]);
  });
});
