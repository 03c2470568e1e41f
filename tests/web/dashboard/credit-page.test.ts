// The page of credit. reading.ts explains the notation.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import type { CreditMatrix, CreditPair } from "../../../web/contract/credit.ts";
import { settle, show } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { NOON } from "../support/market.ts";

const { answers, inState, sent } = await openDashboard();
const { default: Credit } = await import("../../../web/dashboard/pages/credit.tsx");

describe("the page of credit", () => {
  const pair = (entityId: string, counterpartyId: string, change: Partial<CreditPair> = {}): CreditPair => ({
    entityId,
    counterpartyId,
    tradable: true,
    reason: null,
    sentence: "They can.",
    documentation: { entity: "docs_in_place", counterparty: "docs_in_place" },
    available: { notional: 250, mw: null, mwh: null },
    creditLimit: 1_000,
    usedCredit: 750,
    ...change,
  });
  const PAIRS = [
    pair("ASH", "ELM"),
    pair("CEDAR", "ASH", {
      tradable: false,
      reason: "entity_documents",
      sentence: "CEDAR must set its documents.",
      documentation: { entity: "pending", counterparty: "no_docs" },
    }),
    pair("CEDAR", "ELM", { tradable: false, reason: "entity_limit", available: { notional: 0, mw: 5, mwh: null } }),
    pair("ELM", "CEDAR", { creditLimit: null, available: { notional: null, mw: null, mwh: null } }),
  ];
  const MATRIX: CreditMatrix = {
    revision: 1,
    asOf: NOON,
    entities: [
      { id: "ASH", name: "ASH", code: "AS" },
      { id: "CEDAR", name: "Cedar Power", code: "CE" },
      { id: "ELM", name: "Elm", code: "EL" },
    ],
    pairs: PAIRS,
    total: 4,
    truncated: false,
  };
  const credit = (change: Partial<CreditMatrix> = {}, argument = "") => {
    answers["GET /dashboard/credit"] = { ...MATRIX, ...change };
    return show(h(Credit, { argument }));
  };
  const LEGEND = `‹tradable›can trade 2
‹documents›documents missing 1
‹no_limit›no limit set 0
‹limit›no credit left 1
‹other_limit›limit of the other 0`;

  test("has a row for each entity that grants and a column for each that gets, with what is left", async () => {
    const page = await credit();
    expect(page.text).toContain("3 entities\nas of 05:00:00\n<Matrix ✓> <List>");
    expect(page.text).toContain(LEGEND);
    expect(page.text).toEndWith(`grants to | AS | CE | EL
[AS](#/entities/ASH) | ‹same›| ‹none›| ‹tradable›▭25%
[CE](#/entities/CEDAR) | ‹documents›▭25% | ‹same›| ‹limit›▭0%
[EL](#/entities/ELM) | ‹none›| ‹tradable›| ‹same›`);
    const cells = page.all("td").map(({ attributes }) => attributes.get("aria-label"));
    expect(cells.slice(0, 4)).toEqual([
      "the same entity",
      "nothing is known",
      "ASH to ELM: can trade, 250 of 1K $ left",
      "CEDAR to ASH: documents missing, 250 of 1K $ left",
    ]);
  });

  test("has one cell in the tab order, which the keys move and whose pair is told", async () => {
    const page = await credit();
    const inTabOrder = () =>
      page.all("td").filter(({ attributes }) => attributes.get("tabIndex") === "0").map(({ dataset }) =>
        dataset["place"]
      );
    const press = (key: string) => settle(() => void page.all("credit-grid")[0]!.dispatch({ type: "keydown", key }));
    expect(inTabOrder()).toEqual(["0 1"]);
    const grid = page.all("credit-grid")[0]!;
    expect(["x", "Tab", "Enter"].map((key) => grid.dispatch({ type: "keydown", key }))).toEqual([false, false, false]);
    expect(grid.dispatch({ type: "keydown", key: "ArrowDown" })).toBeTrue();
    await settle();
    await press("Home");
    expect(inTabOrder()).toEqual(["1 0"]);
    expect(page.find("CEDAR to ASH: documents missing, 250 of 1K $ left").attributes.get("aria-selected")).toBe("true");
    expect(page.text).toEndWith(`CEDAR and ASH
<Close the details>
‹documents›documents missing
CEDAR has not set its documents with ASH as in place.
CEDAR must set its documents.
Documents
[CEDAR](#/entities/CEDAR) says: ‹warning›pending
[ASH](#/entities/ASH) says: ‹warning›none
CEDAR grants ASH
Limit, $: 1,000
Used, $: 750
Left: ‹documents›▭25% 250 of 1K $ left
ASH for CEDAR
Hidden from you, or not set.`.replace("‹documents›documents missing", "‹warning›documents missing"));
    await page.click("Close the details");
    expect(page.text).not.toContain("Documents\n");
  });

  test("as a list has the counterparties of one entity, which the address may name", async () => {
    const page = await credit({}, "CEDAR");
    expect(page.text).toEndWith(`Entity{ASH, Cedar Power*, Elm}
Counterparty | Now | Left of the limit
<ASH> | ‹warning›documents missing | ‹documents›▭25% 250 of 1K $ left
<Elm> | ‹danger›no credit left | ‹limit›▭0% 0 of 1K $, 5 MW left`);
    await page.click("Elm");
    expect(page.text).toContain("> <Elm>");
    expect(page.text).toContain(
      "ELM grants CEDAR\nLimit, $: none\nUsed, $: 750\nLeft: no limit for all contracts together",
    );
    await page.type("Entity{ASH, Cedar Power*, Elm}", "ELM", "change");
    expect(page.text).toContain("<Cedar Power> | ‹good›can trade | no limit for all contracts together");
    await page.click("Matrix");
    expect(page.text).toContain("grants to");
  });

  test("is a list without a choice in a narrow window, and the matrix again once it is wide", async () => {
    const { matchMedia } = globalThis;
    const query = { matches: false, listener: () => {} };
    const gone: unknown[] = [];
    const addEventListener = (_: string, listener: () => void) => void (query.listener = listener);
    const removeEventListener = (_: string, listener: () => void) => void gone.push(listener);
    globalThis.matchMedia = (() => Object.assign(query, { addEventListener, removeEventListener })) as never;
    try {
      const page = await credit();
      expect(page.text).toContain("Entity{ASH*, Cedar Power, Elm}\nCounterparty | Now");
      expect(page.text).not.toMatch(/grants to|<Matrix/);
      query.matches = true;
      await settle(() => query.listener());
      expect(page.text).toContain("<Matrix ✓> <List>");
      expect(page.text).toContain("grants to | AS | CE | EL");
      expect(gone).toEqual([]);
      await page.redraw(null);
      expect(gone).toEqual([query.listener]);
    } finally {
      globalThis.matchMedia = matchMedia;
    }
  });

  test("is asked for at once when the server has connected", async () => {
    inState({ connection: { status: "disconnected" } });
    const page = await credit({ pairs: [] });
    const before = sent.length;
    answers["GET /dashboard/credit"] = { ...MATRIX, revision: 2 };
    await settle(() => inState({}));
    expect([sent.length - before, page.text.includes("grants to")]).toEqual([1, true]);
  });

  test.each<[name: string, change: Partial<CreditMatrix>, argument: string, has: string, hasNot: string]>([
    ["there is none", { pairs: [] }, "", "No credit to see", "grants to"],
    ["one entity is seen", { pairs: PAIRS.slice(0, 1) }, "", "ASH and its counterparties", "<Matrix"],
    ["some is left out", { truncated: true, total: 9_000 }, "", "4 of 9,000 pairs are shown", "hidden from you"],
    [
      "the one named is hidden",
      {},
      "OAK",
      "The credit that OAK grants is hidden from you, or not set.",
      "pairs are shown",
    ],
    ["its time is unknown", { asOf: null }, "", "3 entities", "as of"],
  ])("if %s", async (_name, change, argument, has, hasNot) => {
    const { text } = await credit(change, argument);
    expect(text).toContain(has);
    expect(text).not.toContain(hasNot);
  });

  test("can trade: says so, and nothing of a reason", async () => {
    const page = await credit({}, "ASH");
    await page.click("Elm");
    expect(page.text).toContain("‹good›can trade\nASH and ELM can trade with each other.\nDocuments");
    expect(page.text).toContain("says: ‹good›in place");
    expect(page.text).not.toContain("They can.");
  });
});
