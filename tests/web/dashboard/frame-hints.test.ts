// What the mouse and a screen reader find around every page beside the text: labels, titles and pictures (`◇name`).

import { expect, test } from "bun:test";
import { h } from "preact";
import { show } from "../support/browser.ts";
import { openDashboard, type State } from "../support/dashboard.ts";

const { inState } = await openDashboard();
const { Banners } = await import("../../../web/dashboard/frame/banners.tsx");
const { Header } = await import("../../../web/dashboard/frame/header.tsx");
const { Navigation } = await import("../../../web/dashboard/frame/navigation.tsx");
const { PAGES } = await import("../../../web/dashboard/page-list.ts");

test.each<[name: string, state: Partial<State>, banners: string[], status: string, contact: string]>([
  ["all is well", {}, [], "◇play", "◇link"],
  ["the server is silent", { contact: { state: "stale", since: 0 } }, ["◇alert"], "◇clock", "◇alert"],
  [
    "the server is away",
    { contact: { state: "reconnecting", since: 0, attempt: 1 } },
    ["◇unlink"],
    "◇clock",
    "◇unlink",
  ],
  ["the market is away", { connection: { status: "reconnecting" } }, ["◇unlink"], "◇clock", "◇link"],
  ["the market is about to be connected", { connection: { status: "disconnected" } }, ["◇link"], "◇clock", "◇unlink"],
  [
    "somebody has disconnected it",
    { connection: { status: "disconnected", wasDisconnected: true } },
    ["◇unlink", "◇link"],
    "◇clock",
    "◇unlink",
  ],
  [
    "there is a halt, a freeze and another version",
    { markets: [{ halted: true }], frozen: { reason: null, since: null }, newVersion: "2" },
    ["◇stop", "◇snow", "◇info"],
    "◇stop",
    "◇link",
  ],
  ["the market opens soon", { markets: [{ status: "preopen" }] }, [], "◇clock", "◇link"],
  ["the market is closed", { markets: [{ status: "closed" }] }, [], "◇lock", "◇link"],
])("the banners and the header if %s", async (_name, state, banners, status, contact) => {
  inState(state);
  const { hints } = await show(h("div", {}, h(Banners, {}), h(Header, {})));
  expect(hints).toEqual([
    ...banners,
    ...["mkt, to the market", "Market status", status, "Mon, Nov 23, 2026, 05:00:00 MST"],
    ...["◇search", "Search contracts, entities, orders, users", contact],
    ...["Alerts", "◇bell"],
    ...[
      "Colours: system. Change to light",
      "◇screen",
      "About, and keyboard shortcuts",
      "◇info",
      "Sign out desk",
      "◇out",
    ],
  ]);
});

test("the navigation", async () => {
  const { hints } = await show(h(Navigation, { pages: PAGES, current: PAGES[0]! }));
  expect(hints).toEqual([
    "Pages",
    "page",
    "◇market",
    "◇eye",
    "◇star",
    "◇wave",
    "◇people",
    "◇flask",
    "◇grid",
    "◇list",
    "◇sliders",
  ]);
});
