// The pages of entities and of an order: who is found, what is hidden, and that another connection is asked anew at once.

import { beforeEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import { settle, show } from "../../support/browser.ts";
import { openDashboard } from "../../support/dashboard.ts";
import { NOON } from "../../support/market.ts";

const { answers, inState, later, location, sent } = await openDashboard();
const { default: Entities } = await import("../../../../web/dashboard/pages/entities.tsx");
const { default: Order } = await import("../../../../web/dashboard/pages/order/order.tsx");

const row = (id: string, name: string) => ({ id, name, code: id, userIds: ["u"], creditStatus: "ok" });
const asked = () => sent.map(({ path }) => path.replace("/dashboard/tools/", ""));

describe("the list of entities", () => {
  let pages = 0;
  beforeEach(() => {
    // A page whose address has kept nothing.
    location.hash = `#/entities-${++pages}`;
    answers["mkt_list_entities"] = { entities: [row("E-1", "Ash"), row("E-2", "Elm")], cursor: null };
  });

  test.each([["", "Ash Elm"], ["e-1", "Ash"], ["ELM", "Elm"], [" 2 ELM ", "Elm"], ["elm 2", ""], ["oak", ""]])(
    "finds for %p: %p",
    async (text, names) => {
      const page = await show(h(Entities, { argument: "" }));
      await page.type("Search entities by name or id", text);
      expect(page.all("a").map((link) => page.readingOf(link).slice(1, 4)).join(" ")).toBe(names);
      expect(page.text.includes("No entity has this name")).toBe(names === "");
      await page.redraw(null);
    },
  );

  test.each<[name: string, permissions: string[], entityId: string | null, figures: string[], asks: number]>([
    ["with Scope.Global", ["Scope.Global"], "E-1", ["…", "…"], 2],
    ["of an entity", [], "E-1", ["…", "hidden from you"], 1],
    ["of no entity", [], null, ["hidden from you", "hidden from you"], 0],
  ])(
    "shows a user %s what they may see while it is on its way",
    async (_name, permissions, entityId, figures, asks) => {
      inState({ connection: { permissions, entityId } });
      const page = await show(h(Entities, { argument: "" }));
      await later(100);
      expect(page.all("entities-hidden").map((cell) => page.readingOf(cell).replace(/ \|$/, ""))).toEqual(figures);
      expect(asked().filter((tool) => tool === "mkt_get_entity").length).toBe(asks);
      expect(page.all("entities-own").length).toBe(entityId === null ? 0 : 1);
      await page.redraw(null);
    },
  );

  test("asks for no positions without a connection", async () => {
    inState({ connection: { status: "disconnected", permissions: ["Scope.Global"] } });
    const page = await show(h(Entities, { argument: "" }));
    await later(100);
    expect(asked()).toEqual(["mkt_list_entities"]);
    await page.redraw(null);
  });
});

test.each([[0, false], [1, true]])("an entity with %p days of delivery has their profit: %p", async (total, has) => {
  answers["mkt_get_entity"] = ({ by, positions }: { by?: string; positions?: boolean }) => {
    if (by === "day") return { total, sums: [] };
    return positions === true ? new Promise(() => {}) : row("E-1", "Ash");
  };
  const page = await show(h(Entities, { argument: "E-1" }));
  expect(page.text.includes("Profit by day of delivery")).toBe(has);
  await page.redraw(null);
});

test.each(
  [
    ["an entity", Entities, ["mkt_get_entity", "mkt_get_entity", "mkt_get_entity", "mkt_list_users"]],
    ["an order", Order, ["mkt_get_order", "mkt_get_order_events"]],
  ] as const,
)("the page of %s asks at once if the connection comes or goes, and not at other changes", async (...given) => {
  const [, Page, tools] = given;
  const page = await show(h(Page, { argument: "X" }));
  expect(asked()).toEqual([...tools]);
  for (const status of ["reconnecting", "connected"] as const) {
    sent.length = 0;
    await settle(() => inState({ connection: { status } }));
    expect(asked()).toEqual([...tools]);
    sent.length = 0;
    await settle(() => inState({ connection: { status, speed: 2, asOf: NOON } }));
    expect(asked()).toEqual([]);
  }
  await page.redraw(null);
});
