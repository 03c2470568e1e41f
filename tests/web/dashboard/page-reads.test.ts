// What each page asks its server for when it is opened and again later, and that no request outlives its page.

import { expect, spyOn, test } from "bun:test";
import { h } from "preact";
import { atEnd } from "../../support/at-end.ts";
import { Refusal, settle, show } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { hour, NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const { answers, applyUpdates, inState, later, sent } = await openDashboard();
const { PAGES } = await import("../../../web/dashboard/page-list.ts");

/** What ends requests, besides their time limits. */
let signals: AbortSignal[] = [];
const any = AbortSignal.any.bind(AbortSignal);
const both = spyOn(AbortSignal, "any").mockImplementation((given) => {
  signals.push(given[0]!);
  return any(given);
});
atEnd(() => both.mockRestore());

const page = (name: string, argument: string) =>
  show(h(PAGES.find((page) => page.name === name)!.component, { argument }));
/** `TOOL ARGUMENTS` or `PATH`. */
const asked = () =>
  sent.map(({ path, body }) => {
    const { arguments: given } = (body ?? {}) as { readonly arguments?: object };
    return given === undefined ? path : `${path.replace("/dashboard/tools/", "")} ${JSON.stringify(given)}`;
  });

const ENTITY = [
  'mkt_get_entity {"entityId":"ASH"}',
  'mkt_get_entity {"entityId":"ASH","positions":true,"limit":300}',
  'mkt_get_entity {"entityId":"ASH","by":"day","limit":300}',
  'mkt_list_users {"entityId":"ASH","fields":["name","connected","permissions"],"limit":100}',
];
const ORDER = ['mkt_get_order {"orderId":"O"}', 'mkt_get_order_events {"orderId":"O","detail":"full"}'];

/** `every`: milliseconds after which all of it is asked for again; null: never, while nothing changes. */
test.each<[name: string, argument: string, asks: string[], every: number | null, ofPage: number]>([
  ["market", "", [], null, 0],
  ["glance", "", ['mkt_sim_get_spot_prices {"hours":24}'], 15_000, 1],
  ["spot", "", ['mkt_sim_get_spot_prices {"hours":24}'], 15_000, 1],
  ["entities", "", ['mkt_list_entities {"limit":100}'], 15_000, 0],
  ["entities", "ASH", ENTITY, 10_000, 4],
  [
    "simulation",
    "",
    [
      'mkt_sim_status {"limit":200,"fields":["strategy","entityId","state","workingOrders","orders",' +
      '"trades","profitAndLoss","stoppedUntil"]}',
    ],
    2_000,
    1,
  ],
  ["credit", "", ["/dashboard/credit"], 3_000, 1],
  ["events", "", [], null, 0],
  ["order", "O", ORDER, 5_000, 2],
  ["order", "", [], null, 0],
  ["operate", "", [], null, 0],
])("the page %s of %p asks for %j, each %p ms; %d of it end with the page", async (...given) => {
  const [name, argument, asks, every, ofPage] = given;
  await settle(() => applyUpdates([update({ isWhole: true, contracts: [hour(2)] })]));
  // These are asked for once, whichever page comes first.
  const once = ["/dashboard/sparks", ...(name === "events" ? ['mkt_list_entities {"limit":100}'] : [])];
  const fails = () => {
    throw new Refusal(503, { code: "busy", message: "No." });
  };
  for (const ask of asks) answers[ask.startsWith("/") ? `GET ${ask}` : ask.split(" ")[0]!] = fails;
  signals = [];
  const shown = await page(name, argument);
  const read = () => asked().filter((ask) => !once.includes(ask));
  expect([read(), signals.length]).toEqual([asks, ofPage]);
  for (const ms of every === null ? [60_000] : [every - 1, every]) {
    sent.length = 0;
    await later(ms);
    expect([ms, read()]).toEqual([ms, ms === every ? asks : []]);
  }
  for (const ask of asks) delete answers[ask.startsWith("/") ? `GET ${ask}` : ask.split(" ")[0]!];
  // These stay without an answer.
  if (every !== null) await later(every);
  expect(signals.slice(-ofPage || signals.length).map(({ aborted }) => aborted)).toEqual(Array(ofPage).fill(false));
  await shown.redraw(null);
  sent.length = 0;
  await later(60_000);
  expect([read(), signals.every(({ aborted }) => aborted)]).toEqual([[], true]);
});

test("an entity's positions are read again after its trades, at most once in two seconds, and not after others'", async () => {
  for (const tool of ["mkt_get_entity", "mkt_list_users"]) {
    answers[tool] = () => {
      throw new Refusal(503, { code: "busy", message: "No." });
    };
  }
  const shown = await page("entities", "ASH");
  const trade = (type: string, buyEntityId: string, sellEntityId: string) =>
    settle(() =>
      applyUpdates([
        update({ events: [{ sequence: 1, category: "fill", type, time: NOON, data: { buyEntityId, sellEntityId } }] }),
      ])
    );
  const reads: string[][] = [];
  const after = async (ms: number) => {
    sent.length = 0;
    await later(ms);
    reads.push(asked());
  };
  await trade("new.trade", "ELM", "OAK");
  await trade("change.order", "ASH", "ASH");
  await after(2_000);
  await trade("new.trade", "ELM", "ASH");
  await trade("new.trade", "ASH", "ELM");
  await after(1_999);
  await after(2_000);
  await after(2_000);
  const both = ENTITY.slice(1, 3);
  expect(reads).toEqual([[], [], both, []]);
  await shown.redraw(null);
  await trade("new.trade", "ASH", "ELM");
  await after(2_000);
  expect(reads.at(-1)).toEqual([]);
});

test("the rate of events is that of the last second, whatever the clock of the page shows", async () => {
  let now = 10_000;
  const clock = spyOn(performance, "now").mockImplementation(() => now);
  atEnd(() => clock.mockRestore());
  const shown = await page("events", "");
  let sequence = 0;
  const rates: (string | undefined)[] = [];
  for (const [count, ms] of [[0, 1_000], [10, 1_000], [30, 2_000], [0, 1_000], [12_300, 1_000]] as const) {
    const events = Array.from({ length: count }, () => (
      { sequence: ++sequence, category: "order" as const, type: "new.order", time: NOON, data: {} }
    ));
    await settle(() => applyUpdates([update({ events })]));
    now += ms;
    await later(1_000);
    rates.push(/(\S+) events\/s/.exec(shown.text)?.[1]);
  }
  expect(rates).toEqual(["0", "10", "15", "0", "12.3K"]);
  inState({});
});
