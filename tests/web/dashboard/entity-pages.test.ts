// The pages of all entities and of one. reading.ts explains the notation.

import { beforeEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import type { EntityRow, PositionsResult } from "../../../web/contract/tool-results.ts";
import { Refusal, settle, show } from "../support/browser.ts";
import { openDashboard, type State } from "../support/dashboard.ts";
import { NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const dashboard = await openDashboard();
const { answers, applyUpdates, inState, sent } = dashboard;
const { default: Entities } = await import("../../../web/dashboard/pages/entities.tsx");

/** Each test shows a page whose address has kept nothing. */
let pages = 0;
beforeEach(() => void (dashboard.location.hash = `#/entities-${++pages}`));

const entity = (id: string, name: string, creditStatus: EntityRow["creditStatus"], users = 1): EntityRow => (
  { id, name, code: id.slice(0, 2), userIds: Array.from({ length: users }, (_, user) => `${id}-${user}`), creditStatus }
);
const ROWS = [
  entity("ASH", "ASH", "none"),
  entity("CEDAR", "Cedar Power", "ok", 2),
  entity("ELM", "Elm", "exhausted"),
];
const totals = (
  profit: number,
  netEnergy: number,
  cash: number,
  creditUsed: number | null,
): PositionsResult["totals"] => (
  {
    profit,
    netEnergy,
    cash,
    creditUsed,
    realisedProfit: 0,
    unrealisedProfit: 0,
    netQuantity: null,
    settled: { contracts: 0, profit: 0 },
  }
);
const TOTALS: Record<string, PositionsResult["totals"]> = {
  ASH: totals(-5, -2.5, 100.6, null),
  CEDAR: totals(12.5, 40, -1_234.4, 5_000),
  ELM: totals(0, 0, 0, 0),
};
const positionsOf = (id: string) => ({
  ...ROWS.find((row) => row.id === id)!,
  asOf: NOON,
  count: 0,
  total: 0,
  cursor: null,
  positions: [],
  totals: TOTALS[id]!,
});

const GLOBAL = { connection: { permissions: ["Scope.Global"] } } satisfies Partial<State>;

describe("the page of entities", () => {
  async function entities(state: Partial<State> = GLOBAL, rows = ROWS) {
    inState(state);
    answers["mkt_list_entities"] = { entities: rows, cursor: null };
    answers["mkt_get_entity"] ??= ({ entityId }: { entityId: string }) => positionsOf(entityId);
    const page = await show(h(Entities, { argument: "" }));
    await dashboard.later();
    return page;
  }

  test("has the positions of all, the greatest profit first, and marks the own one", async () => {
    const page = await entities();
    expect(page.text.split("\n").slice(2)).toEqual([
      "3 entities",
      "3 with positions",
      "<Entity> | <Profit, $ ↓> | <Net, MWh> | <Cash, $> | <Used credit, $> | <Credit> | <Users>",
      "‹own›[Cedar Power](#/entities/CEDAR) CEDAR ‹info›yours | ‹up›▲ +12.50 | +40 | −1,234 | 5,000 | ‹good›ok | 2",
      "[Elm](#/entities/ELM) ELM | ‹none›0.00 | 0 | 0 | 0 | ‹danger›exhausted | 1",
      "[ASH](#/entities/ASH) | ‹down›▼ −5.00 | −2.5 | 101 | – | ‹warning›no limits | 1",
    ]);
    expect(page.text).not.toContain("permission");
  });

  test("is searched by id and name, and sorted by a column", async () => {
    const page = await entities();
    const names = () => page.all("tr").slice(1).map((row) => /\[(.*?)\]/.exec(page.readingOf(row))![1]);
    for (
      const [column, expected] of [
        ["Used credit, $", ["Cedar Power", "Elm", "ASH"]],
        ["Net, MWh", ["Cedar Power", "Elm", "ASH"]],
        ["Cash, $", ["ASH", "Elm", "Cedar Power"]],
        ["Users", ["Cedar Power", "ASH", "Elm"]],
        ["Entity", ["ASH", "Cedar Power", "Elm"]],
        ["Credit", ["Elm", "ASH", "Cedar Power"]],
      ] as const
    ) {
      await page.click(column);
      expect([column, names()]).toEqual([column, [...expected]]);
    }
    await page.type("Search entities by name or id", " power ");
    expect(names()).toEqual(["Cedar Power"]);
    await page.type("Search entities by name or id", "xyz");
    expect(page.text).toEndWith("No entity has this name");
  });

  test("counts all users of an entity, also those that its row leaves out, and sorts by that number", async () => {
    const page = await entities(GLOBAL, ROWS.map((row) => row.id === "ELM" ? { ...row, usersLeftOut: 1_999 } : row));
    const users = () => page.all("tr").slice(1).map((row) => /\[(.*?)\].* (\S+)$/.exec(page.readingOf(row))!.slice(1));
    await page.click("Users");
    expect(users()).toEqual([["Elm", "2,000"], ["Cedar Power", "2"], ["ASH", "1"]]);
    await page.click("Users");
    expect(users()).toEqual([["ASH", "1"], ["Cedar Power", "2"], ["Elm", "2,000"]]);
  });

  test("of a user of one entity asks for its positions alone, and says why", async () => {
    sent.length = 0;
    const page = await entities({});
    const asked = sent.filter(({ path }) => path.endsWith("mkt_get_entity"));
    expect(asked.map(({ body }) => (body as { arguments: { entityId: string } }).arguments.entityId)).toEqual([
      "CEDAR",
    ]);
    expect(page.text).toContain("You see the positions of your own entity only");
    expect(page.text).toContain("1 with positions");
    expect(page.text).toContain("[ASH](#/entities/ASH) | hidden from you | ‹warning›no limits");
    const none = await entities({ connection: { entityId: null } });
    expect(none.text).toContain("You act for no entity, and see no positions");
    expect(none.text).not.toContain("yours");
  });

  test("says why an entity's positions can't be read, and asks for none without a connection", async () => {
    answers["mkt_get_entity"] = () => {
      throw new Refusal(403, { code: "forbidden", message: "Not yours." });
    };
    expect((await entities()).text).toContain("| Not yours. | ‹good›ok | 2");
    // What may pass is said once, and not in each row.
    answers["mkt_get_entity"] = () => {
      throw new TypeError("fetch failed");
    };
    const { text } = await entities();
    expect(text.match(/can't be reached/g)).toEqual(["can't be reached"]);
    expect(text).toContain("| – | ‹good›ok | 2");
    answers["mkt_get_entity"] = () => {
      throw new Refusal(403, { code: "forbidden", message: "Not yours." });
    };
    sent.length = 0;
    const page = await entities({ connection: { ...GLOBAL.connection, status: "reconnecting" } });
    expect([sent.some(({ path }) => path.endsWith("mkt_get_entity")), page.text.includes("| … |")]).toEqual([
      false,
      true,
    ]);
  });
});

describe("the page of an entity", () => {
  const USERS = [
    { id: "anna", name: "Anna", connected: true, permissions: ["Market.View", "Order.Submit"] },
    { id: "bob", name: "Bob", connected: false, permissions: [] },
  ];
  const DAY = { contracts: 3, netEnergy: 10, cash: -375, realisedProfit: -53, unrealisedProfit: 0, profit: -53 };
  const days = { total: 1, sums: [{ day: "2026-11-22", ...DAY }], note: "2 more contracts were settled." };
  const one = async (id: string) => {
    answers["mkt_get_entity"] = ({ entityId, positions, by }: { entityId: string; positions?: true; by?: "day" }) =>
      by ? days : positions ? positionsOf(entityId) : ROWS.find((row) => row.id === entityId);
    answers["mkt_list_users"] = { users: USERS, cursor: null };
    return await show(h(Entities, { argument: id }));
  };

  test("has its credit, positions and users", async () => {
    const { text } = await one("CEDAR");
    expect(text).toStartWith(
      "Cedar Power\nCEDAR ‹good›ok ‹info›yours [Whom it can trade with](#/credit/CEDAR) [All entities](#/entities)",
    );
    expect(text).toContain("Positions\nas of Nov 23, 05:00:00\nProfit, $: ‹up›▲ +12.50");
    expect(text).toContain(`Profit by day of delivery
Day | Contracts | Net, MWh | Cash, $ | Realised, $ | Unrealised, $ | Profit, $
2026-11-22 | 3 | +10 | −375.00 | −53.00 | 0.00 | ‹down›▼ −53.00
2 more contracts were settled.`);
    expect(text).toEndWith(`Users
2
User | Name | Connection | Permissions
anna | Anna | ‹good›connected | Market.View, Order.Submit
bob | Bob | ‹neutral›not connected |`);
    expect((await one("ELM")).text).not.toContain("yours");
  });

  test("is read again after a trade of its own, its days too", async () => {
    await one("CEDAR");
    const trade = (sequence: number, buyEntityId: string, sellEntityId: string) =>
      settle(() =>
        applyUpdates([update({
          events: [{
            sequence,
            category: "fill",
            type: "new.trade",
            time: NOON,
            data: {
              buyEntityId,
              sellEntityId,
            },
          }],
        })])
      );
    const asked = (what: string) => sent.filter(({ body }) => JSON.stringify(body)?.includes(what)).length;
    const reads = () => [asked('"positions":true,"limit":300'), asked('"by":"day","limit":300')] as const;
    const seen: number[][] = [];
    for (const [buyer, seller] of [["ASH", "ELM"], ["ASH", "CEDAR"], ["CEDAR", "ASH"]] as const) {
      await trade(seen.length + 1, buyer, seller);
      const before = reads();
      await dashboard.later(2_000);
      seen.push(reads().map((count, at) => count - before[at]!));
    }
    expect(seen).toEqual([[0, 0], [1, 1], [1, 1]]);
  });

  test("shows each refusal in its place", async () => {
    answers["mkt_get_entity"] = answers["mkt_list_users"] = () => {
      throw new Refusal(403, { code: "forbidden", message: "Not yours." });
    };
    const page = await show(h(Entities, { argument: "ELM" }));
    expect(page.text.match(/forbidden Not yours\./g)).toHaveLength(3);
    expect(page.text).toContain("MKT_USER_ID");
    expect(page.all("skeleton")).toEqual([]);
  });
});
