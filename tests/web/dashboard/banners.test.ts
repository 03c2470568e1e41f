// The banners, the header and the navigation around every page. reading.ts explains the notation.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { openDashboard, type State } from "../support/dashboard.ts";
import { Refusal, settle, show } from "../support/browser.ts";
import { CONNECTION, NOON } from "../support/market.ts";

const dashboard = await openDashboard();
const { connectProblem, inState, market } = dashboard;
const { connectOnce } = await import("../../../web/dashboard/frame/auto-connect.tsx");
const { Banners } = await import("../../../web/dashboard/frame/banners.tsx");
const { Header } = await import("../../../web/dashboard/frame/header.tsx");
const { Navigation } = await import("../../../web/dashboard/frame/navigation.tsx");
const { restoreTheme, theme } = await import("../../../web/dashboard/frame/theme.ts");
const { dataAge, isPolling } = await import("../../../web/dashboard/live/stream.ts");
const { PAGES } = await import("../../../web/dashboard/page-list.ts");

const SINCE = Date.parse(NOON);
const LOST =
  "The server has lost its connection to the market and is restoring it. What is shown is from Nov 23, 05:00:00 (market time).";

describe("the banners", () => {
  test.each<[name: string, state: Partial<State>, expected: string]>([
    ["all is well", {}, ""],
    ["the page is about to connect", { contact: { state: "connecting", since: 0 } }, ""],
    [
      "the server is silent",
      { contact: { state: "stale", since: SINCE } },
      "‹warning›The server has been silent since",
    ],
    [
      "the server is away",
      { contact: { state: "reconnecting", since: SINCE, attempt: 2 } },
      "‹warning›Not live since",
    ],
    [
      "the server is away, and had lost the market before",
      { contact: { state: "reconnecting", since: SINCE, attempt: 2 }, connection: { status: "reconnecting" } },
      "‹warning›Not live since",
    ],
    ["nothing is known", { connection: null }, ""],
    ["the server is connecting", { connection: { status: "connecting" } }, ""],
    ["the server reconnects", { connection: { status: "reconnecting", problem: "cut" } }, `‹warning›${LOST} cut`],
    [
      "the server is about to connect",
      { connection: { status: "disconnected" } },
      "‹warning›Connecting the server to the market…",
    ],
    [
      "somebody has disconnected it",
      { connection: { status: "disconnected", wasDisconnected: true } },
      "‹warning›Somebody has disconnected this server from the market. What is shown is from Nov 23, 05:00:00 (market time). <Connect>",
    ],
    [
      "the market ended the connection",
      { connection: { status: "disconnected", problem: "token withdrawn" } },
      "‹warning›This server is not connected to the market: token withdrawn What is shown is from Nov 23, 05:00:00 (market time). <Connect>",
    ],
    [
      "it could not connect",
      { connection: { status: "disconnected" }, connectProblem: { code: "c", message: "refused", hint: "Start it." } },
      "‹warning›The server could not connect to the market: refused Start it. <Connect>",
    ],
    [
      "an earlier try had failed",
      { connectProblem: { code: "c", message: "refused" } },
      "",
    ],
    [
      "one of two markets is halted",
      { markets: [{}, { id: "N", name: "Coast", halted: true, haltReason: "storm" }] },
      "‹danger›Coast is HALTED: nothing is matched. Reason: storm",
    ],
    [
      "both are",
      { markets: [{ halted: true }, { id: "N", name: "Coast", halted: true }] },
      "‹danger›Plains is HALTED: nothing is matched. No reason was given.\n" +
      "‹danger›Coast is HALTED: nothing is matched. No reason was given.",
    ],
    [
      "the server is frozen",
      { frozen: { reason: "drill", since: null } },
      "‹frozen›This server is FROZEN: it changes nothing. Reason: drill It ends with mkt thaw on the server's host.",
    ],
    ["it was frozen at a time", { frozen: { reason: null, since: NOON } }, "No reason was given. Since Nov 23,"],
    [
      "the server is another version",
      { newVersion: "2.0.0" },
      "‹warning›The server is now mkt 2.0.0. Reload this page to get what belongs to it. <Reload>",
    ],
  ])("if %s", async (_name, state, expected) => {
    inState(state);
    const { text } = await show(h(Banners, {}));
    if (expected === "") expect(text).toBe("");
    else expect(text).toContain(expected);
    expect(text.split("‹").length).toBe(
      expected.split("‹").length + (expected !== "" && !expected.includes("‹") ? 1 : 0),
    );
  });

  test("have the person's time of what they tell, and stand below each other, each once", async () => {
    const shownAt = (ms: number) => new Date(ms).toTimeString().slice(0, 8);
    const contactBanner = async (state: "stale" | "reconnecting") => {
      inState({ contact: { state, since: SINCE - 90_000, attempt: 1 } });
      return (await show(h(Banners, {}))).text;
    };
    expect(await contactBanner("stale")).toContain(`silent since ${shownAt(SINCE - 90_000)} (your time)`);
    expect(await contactBanner("reconnecting")).toContain(`Not live since ${shownAt(SINCE - 90_000)} (your time)`);
    inState({
      contact: { state: "reconnecting", since: SINCE, attempt: 1 },
      connection: { status: "disconnected", wasDisconnected: true },
      markets: [{ halted: true, haltReason: "storm" }, { id: "N", name: "Coast" }],
      frozen: { reason: "drill", since: NOON },
      newVersion: "2.0.0",
    });
    const page = await show(h(Banners, {}));
    expect(page.text).toContain(`, ${shownAt(SINCE)} (your time)`);
    expect(page.all("banner").map((banner) => page.readingOf(banner).split(/[:.]| since/)[0])).toEqual([
      "‹warning›Not live",
      "‹danger›Plains is HALTED",
      "‹frozen›This server is FROZEN",
      "‹warning›The server is now mkt 2",
    ]);
    await settle(() => inState({}));
    expect([page.text, page.all("banner").length]).toEqual(["", 0]);
  });

  test("connect if asked, and say why it failed", async () => {
    inState({ connection: { status: "disconnected", wasDisconnected: true } });
    dashboard.answers["mkt_connect_pubsub"] = () => {
      throw new Refusal(503, { code: "refused", message: "The market refuses." });
    };
    const page = await show(h(Banners, {}));
    await page.click("Connect");
    expect(page.text).toContain("The server could not connect to the market: The market refuses.");
    const error = { code: "refused", message: "It is full." };
    dashboard.answers["mkt_connect_pubsub"] = { kind: "result", isError: true, result: { status: "rejected", error } };
    await page.click("Connect");
    expect(page.text).toContain("The server could not connect to the market: It is full.");
    dashboard.answers["mkt_connect_pubsub"] = { status: "success" };
    await page.click("Connect");
    expect(connectProblem.value).toBeNull();
    const { promise, resolve } = Promise.withResolvers();
    dashboard.answers["mkt_connect_pubsub"] = () => promise;
    await page.click("Connect");
    expect(page.text).toContain("<Connect ✗> ‹reason›Connecting");
    await settle(() => resolve({ status: "success" }));
    expect(page.text).toContain("<Connect>");
  });

  test("the page connects a server that nobody has disconnected, once until it is connected again", async () => {
    const { answers, sent } = dashboard;
    answers["mkt_connect_pubsub"] = { status: "success" };
    inState({ connection: { status: "disconnected", wasDisconnected: true } });
    await settle(connectOnce);
    expect(sent).toEqual([]);
    await settle(() => inState({ connection: { status: "disconnected" } }));
    await settle(() => inState({ connection: { status: "disconnected", userId: null } }));
    expect(sent.length).toBe(1);
    await settle(() => inState({ connection: { status: "reconnecting" } }));
    await settle(() => inState({}));
    expect(sent.length).toBe(1);
    await settle(() => inState({ connection: { status: "disconnected" } }));
    await settle(() => {
      connectProblem.value = { code: "c", message: "of before" };
      market.connection.value = { ...CONNECTION };
    });
    expect(connectProblem.value).toBeNull();
    expect(sent.map(({ path }) => path)).toEqual(Array(2).fill("/dashboard/tools/mkt_connect_pubsub"));
    await settle(() => inState({}));
  });
});

describe("the header", () => {
  const TAIL =
    "{__}\n‹good›Live\n[](#/alerts) <Colours: system. Change to light> <About, and keyboard shortcuts> <Sign out desk>";
  test.each<[name: string, state: Partial<State>, ...expected: string[]]>([
    [
      "all is well",
      {},
      "[mkt](#/market)\n‹good›Open Plains\nMarket time, real time Nov 23, 05:00:00 MST\nActing user anna\n" +
      `Entity [CEDAR](#/entities/CEDAR)\n${TAIL}`,
    ],
    [
      "nothing is known",
      { connection: null, markets: [], contact: { state: "connecting", since: 0 } },
      "‹neutral›Connecting",
    ],
    [
      "one of three is halted",
      { markets: [{}, { status: "closed" }, { name: "Coast", halted: true }] },
      "‹danger›HALTED Coast and 2 more",
    ],
    [
      "one of two is closed",
      { markets: [{}, { status: "closed", name: "Coast" }] },
      "‹neutral›Closed Coast and 1 more",
    ],
    ["it opens soon", { markets: [{ status: "preopen" }] }, "‹info›Preopen Plains"],
    ["time passes fast", { connection: { speed: 60 } }, "Market time, 60× as fast Nov 23, 05:00:00 MST 60×"],
    ["time stands still", { connection: { speed: null } }, "Market time, stands still Nov 23, 05:00:00 MST ⏸"],
    [
      "the server reconnects",
      { connection: { status: "reconnecting" } },
      "Market time, last known",
      "‹neutral›Was open Plains",
      "‹warning›Reconnecting",
    ],
    ["the server connects", { connection: { status: "connecting" } }, "‹warning›Connecting"],
    ["the server is disconnected", { connection: { status: "disconnected", userId: null } }, "‹warning›Disconnected"],
    [
      "the page is away",
      { contact: { state: "reconnecting", since: 0, attempt: 1 } },
      "‹danger›Not live, 0 s old",
      "‹neutral›Was open",
    ],
    ["the server is silent", { contact: { state: "stale", since: 0 } }, "‹warning›Silent, 0 s old"],
    ["the market is about to come", { connection: { status: "disconnected", asOf: null } }, "‹neutral›Connecting"],
  ])("if %s", async (_name, state, ...expected) => {
    inState(state);
    const { text } = await show(h(Header, {}));
    for (const part of expected) expect(text).toContain(part);
  });

  test("says how old the data is, and how often a page that can't share a connection asks", async () => {
    const page = await show(h(Header, {}));
    const banners = await show(h(Banners, {}));
    await settle(() => {
      inState({ contact: { state: "reconnecting", since: 0, attempt: 1 } });
      dataAge.value = 65_000;
    });
    expect(page.text).toContain("‹danger›Not live, 1 min old");
    await settle(() => {
      inState({});
      isPolling.value = true;
    });
    expect(page.text).toContain("‹neutral›Every 5 s");
    expect(banners.text).toBe(
      "‹warning›This browser can't share one connection among its windows, so this page asks for news every 5 s only.",
    );
    await settle(() => {
      isPolling.value = false;
      dataAge.value = 0;
    });
    expect([page.text.includes("‹good›Live"), banners.text]).toEqual([true, ""]);
  });

  test("hides what there is none of", async () => {
    inState({ connection: { entityId: null }, session: { caller: null } });
    const { text } = await show(h(Header, {}));
    expect(text).toContain("Acting user anna");
    expect(text).not.toMatch(/Entity|Sign out|<Control>|more/);
    inState({ connection: { userId: null } });
    expect((await show(h(Header, {}))).text).not.toContain("Acting");
  });

  test("changes the colours, which the browser keeps, and shows the version and the keys", async () => {
    const page = await show(h(Header, {}));
    await page.click("Colours: system. Change to light");
    await page.click("Colours: light. Change to dark");
    expect([dashboard.stored.get("mkt-theme"), dashboard.document.documentElement.dataset["theme"]]).toEqual([
      "dark",
      "dark",
    ]);
    theme.value = "system";
    restoreTheme();
    expect(theme.value as string).toBe("dark");
    await page.click("Colours: dark. Change to system");
    expect(dashboard.document.documentElement.dataset).toEqual({});
    await page.click("About, and keyboard shortcuts");
    expect(page.text).toContain("mkt 1.2.3: see and operate an electricity market.");
    expect(page.text).toContain("g m: Market");
    await page.click("Close");
    expect(page.text).not.toContain("1.2.3");
  });
});

test("the navigation leads to every page, marks the one that is shown or leads to it, and has control in control only", async () => {
  const of = (name: string) => PAGES.find((page) => page.name === name)!;
  const links = async (name: string) => (await show(h(Navigation, { pages: PAGES, current: of(name) }))).text;
  expect((await show(h(Navigation, { pages: PAGES, current: null }))).text).not.toContain("*");
  expect(await links("spot")).toBe(
    "[Market Market](#/market) [At a glance Glance](#/glance) [Watchlist Watch](#/watchlist) [Spot prices Spot](#/spot)* [Entities Entities](#/entities) " +
      "[Simulation Sim](#/simulation) [Credit Credit](#/credit) [Events Events](#/events) [Operate Operate](#/operate)",
  );
  expect(await links("contract")).toStartWith("[Market Market](#/market)* [At a");
  expect(await links("order")).toContain("[Events Events](#/events)*");
  inState({ session: { access: "view" } });
  expect(await links("market")).not.toContain("Operate");
});
