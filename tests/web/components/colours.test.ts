// Colours that mean something: a bid or a buy has one, an ask or a sell the other, in every style sheet; and so have tones.

import { expect, test } from "bun:test";

const sheet = (path: string) => Bun.file(new URL(`../../../web/${path}.css`, import.meta.url)).text();

test.each<[path: string, colours: Readonly<Record<string, string>>]>([
  ["components/badge", {
    ...{ "badge-good": "good", "badge-warning": "warning", "badge-danger": "danger", "badge-info": "accent" },
    ...{ "badge-control": "control", "badge-buy": "buy", "badge-sell": "sell" },
  }],
  ["components/delta", { "delta-up": "good", "delta-down": "danger", "delta-none": "muted" }],
  ["components/order-book", {
    ...{ "ladder-ask": "sell", "ladder-bid": "buy", "ladder-bar-ask": "sell", "ladder-bar-bid": "buy" },
  }],
  ["components/positions", { "positions-long": "buy", "positions-short": "sell" }],
  ["components/profit-bar", { "profit-bar-gain": "good", "profit-bar-loss": "danger" }],
  ["components/trade-tape", { "tape-buy": "buy", "tape-sell": "sell" }],
  ["dashboard/pages/contracts/contract", { "contract-bid": "buy", "contract-ask": "sell" }],
  ["dashboard/pages/contracts/contracts", { "contracts-bid": "buy", "contracts-ask": "sell" }],
  ["dashboard/pages/events", { "events-buy": "buy", "events-sell": "sell" }],
])("%s.css has the colours %j", async (path, colours) => {
  const text = await sheet(path);
  const found = Object.keys(colours).map((name) => {
    const rules = new RegExp(`^\\.${name} \\{([^}]*)\\}`, "m").exec(text)?.[1] ?? "";
    const own = /(?:^|\s)color: var\(--(\w+)\);/.exec(rules) ?? /background: var\(--(\w+)\);/.exec(rules);
    return [name, own?.[1]];
  });
  expect(Object.fromEntries(found)).toEqual(colours);
});
