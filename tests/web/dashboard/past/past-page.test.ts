// The page of what happened. reading.ts explains the notation. It is 05:00 on Monday in the market's time zone.

import { beforeEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import type { Past, PastDay, PastEvent } from "../../../../web/contract/past.ts";
import { atEnd } from "../../../support/at-end.ts";
import { Refusal, settle, show, type Shown } from "../../support/browser.ts";
import { openDashboard } from "../../support/dashboard.ts";

const { answers, sent } = await openDashboard();
const { default: PastPage } = await import("../../../../web/dashboard/pages/past/past.tsx");

const FILL: PastEvent = {
  id: "2",
  time: "2026-11-23T11:32:10.000Z",
  event: "orderFilled",
  moduleType: "ORDER",
  moduleId: "ORD-7",
  userId: "anna",
  entityId: "CEDAR",
  orderId: "ORD-7",
  details: { contractId: "N-6", side: "BUY", fillPrice: 4_600, fillQuantity: 5, counterpartyId: "ASH" },
};
const HALT: PastEvent = {
  id: "1",
  time: "2026-11-23T11:31:00.000Z",
  event: "marketHalted",
  moduleType: "MARKET",
  moduleId: "M",
  userId: "olga",
  entityId: null,
  orderId: null,
  details: { status: "halted", previousStatus: "open", reason: "a test" },
};
const DAY: PastDay = {
  changes: [HALT, {
    ...HALT,
    id: "3",
    time: "2026-11-23T11:40:00.000Z",
    event: "marketResumed",
    details: { status: "open", previousStatus: "halted", reason: null },
  }],
  releases: [{ from: "2026-11-23T11:40:00.000Z", to: "2026-11-23T11:40:00.000Z", count: 12 }],
  activity: [
    { from: "2026-11-23T10:00:00.000Z", to: "2026-11-23T11:40:00.000Z", count: 100 },
    { from: "2026-11-23T11:40:00.000Z", to: "2026-11-23T11:40:20.000Z", count: 100 },
  ],
  isCut: false,
  oldest: "2026-11-23T10:00:00.000Z",
};

const addresses: string[] = [];
Object.defineProperty(globalThis, "history", {
  value: { replaceState: (_state: null, _title: string, to: string) => void addresses.push(to) },
  configurable: true,
});
atEnd(() => void Reflect.deleteProperty(globalThis, "history"));

function past(more: Partial<Past> = {}): Past {
  return { events: [FILL, HALT], cursor: null, searchedTo: null, ...more };
}

const asked = () =>
  sent.filter(({ path }) => path.startsWith("/dashboard/past?")).map(({ path }) => path.split("?")[1]);
const submit = (page: Shown) => settle(() => void page.all("form")[0]!.dispatch({ type: "submit" }));

beforeEach(() => {
  answers["GET /dashboard/past"] = past();
  answers["GET /dashboard/past/day"] = DAY;
  answers["mkt_list_entities"] = { entities: [{ id: "CEDAR", name: "Cedar Power", userIds: ["anna"] }], cursor: null };
  answers["mkt_sim_get_spot_prices"] = { nodes: [], events: [], status: "idle", congested: false };
  addresses.length = 0;
});

const opened = (argument = "") => show(h(PastPage, { argument }));

describe("the page of what happened", () => {
  test("begins with the last ten minutes, and each row leads to its order", async () => {
    const page = await opened();
    expect(asked()).toEqual(["from=2026-11-23T11%3A50%3A00.000Z&to=2026-11-23T12%3A00%3A00.000Z"]);
    expect(page.all("tr").slice(1).map((row) => page.readingOf(row))).toEqual([
      expect.stringMatching(/^04:32:10 \| .*Filled \| BUY 5 MW at 46.00 \$\/MWh \| \[.*\]\(#\/contract\/N-6\) \| /),
      expect.stringMatching(/^04:31:00 \| .*Market halted \| M, open → halted, a test \| /),
    ]);
    expect(page.readingOf(page.all("tr")[1]!)).toContain("[ORD-7](#/order/ORD-7)");
    expect(page.text).toContain("2 events");
  });

  test("goes to the time that is written, in the market's zone, and keeps it in the address", async () => {
    const page = await opened();
    await page.type("Time, MST", "4:30 to 4:35");
    await submit(page);
    const range = "from=2026-11-23T11%3A30%3A00.000Z&to=2026-11-23T11%3A35%3A00.000Z";
    expect(asked().at(-1)).toBe(range);
    expect(addresses).toEqual([`#/past/${encodeURIComponent(range)}`]);
    await page.type("Time, MST", "yesterday 18:00");
    await submit(page);
    expect(asked().at(-1)).toBe("from=2026-11-23T01%3A00%3A00.000Z&to=2026-11-23T01%3A05%3A00.000Z");
    await page.click("1 h");
    expect(asked().at(-1)).toEndWith("to=2026-11-23T02%3A00%3A00.000Z");
    await page.click("Earlier");
    expect(asked().at(-1)).toBe("from=2026-11-23T00%3A00%3A00.000Z&to=2026-11-23T01%3A00%3A00.000Z");
    await page.type("Time, MST", "soon");
    await submit(page);
    expect(page.text).toContain('"soon" is no time that is understood.');
  });

  test("filters by type, entity, user and contract, and takes them from its address", async () => {
    const page = await opened("from=2026-11-23T11:00:00Z&to=2026-11-23T12:00:00Z&user=anna");
    expect(asked()[0]).toEndWith("&user=anna");
    await page.type("Entity", "cedar power", "change");
    await page.type("Type", "orderFilled", "change");
    expect(asked().at(-1)).toEndWith("&type=orderFilled&entity=CEDAR&user=anna");
    await page.click("Show all");
    expect(asked().at(-1)).toEndWith("to=2026-11-23T12%3A00%3A00.000Z");
  });

  test("tells the market's day, and leads to what stands out", async () => {
    const page = await opened();
    expect(page.text).toContain("records since Nov 23, 03:00:00");
    expect(page.text).toContain("Before 03:00:00 there are no records of this day.");
    expect(page.all("past-choose").map((button) => page.readingOf(button).replace(/‹[^›]*›/g, "").trim())).toEqual([
      "<04:31:00 halted: a test>",
      "<04:40:00 12 held orders released>",
      "<04:40:00 burst of 100 events in 20 s>",
    ]);
    await settle(() => void page.all("past-choose")[0]!.dispatch({ type: "click" }));
    expect(asked().at(-1)).toBe("from=2026-11-23T11%3A30%3A30.000Z&to=2026-11-23T11%3A40%3A30.000Z");
  });

  test("reads earlier events when asked, and says how far it has come", async () => {
    answers["GET /dashboard/past"] = (path: string) =>
      path.includes("cursor=")
        ? past({ events: [HALT] })
        : past({ events: [FILL], cursor: "c1", searchedTo: FILL.time });
    const page = await opened();
    expect(page.text).toContain("Everything after Nov 23, 04:32:10 has been looked at.");
    await page.click("Show earlier ones");
    expect(asked().at(-1)).toEndWith("&cursor=c1");
    expect(page.all("tr")).toHaveLength(3);
    expect(page.text).not.toContain("Show earlier ones");
  });

  test("shows nothing to whoever may not read the audit trail, and says why", async () => {
    const refuse = () => {
      throw new Refusal(403, { code: "forbidden", message: "User eve lacks the permission Market.View." });
    };
    answers["GET /dashboard/past"] = refuse;
    answers["GET /dashboard/past/day"] = refuse;
    const page = await opened();
    expect(page.all("tr")).toHaveLength(0);
    expect(page.text).toContain("User eve lacks the permission Market.View.");
  });
});
