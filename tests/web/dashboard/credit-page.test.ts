// The page of credit. reading.ts explains the notation.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import type { CreditMatrix, CreditPair, CreditUse } from "../../../web/contract/credit.ts";
import { settle, show } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const { answers, applyUpdates, inState, later, market, sent } = await openDashboard();
const { default: Credit } = await import("../../../web/dashboard/pages/credit/credit.tsx");

describe("the page of credit", () => {
  const limit = (change: Partial<CreditUse> = {}): CreditUse => ({
    ...{ limitType: "notional", contractId: null, limit: 1_000, used: 750, available: 250, ownOrders: null },
    ...change,
  });
  const pair = (entityId: string, counterpartyId: string, change: Partial<CreditPair> = {}): CreditPair => ({
    entityId,
    counterpartyId,
    tradable: true,
    reason: null,
    sentence: "They can.",
    documentation: { entity: "docs_in_place", counterparty: "docs_in_place" },
    limits: [limit()],
    limitsLeftOut: 0,
    ...change,
  });
  const PAIRS = [
    pair("ASH", "ELM"),
    pair("CEDAR", "ASH", {
      tradable: false,
      reason: "entity_documents",
      sentence: "CEDAR must set its documents.",
      documentation: { entity: "pending", counterparty: "no_docs" },
      limits: [limit({ ownOrders: 300 })],
    }),
    pair("CEDAR", "ELM", {
      tradable: false,
      reason: "entity_limit",
      limits: [
        limit({ limitType: "mw", limit: 40, used: 40, available: 0, ownOrders: 0 }),
        limit({ limitType: "mwh", limit: 100, used: 85, available: 15, contractId: "N-9", ownOrders: 10 }),
      ],
    }),
    pair("ELM", "CEDAR", { limits: [] }),
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
  const asMatrix = async () => {
    const page = await credit();
    await page.click("Matrix");
    return page;
  };

  test("has a row for each limit, the most used first, with what would be left after own orders, and warnings", async () => {
    const { text } = await credit();
    expect(text).toContain("3 entities\nas of 05:00:00\n<Table ✓> <Matrix>");
    expect(text).toEndWith(`Entity{all*, ASH, Cedar Power, Elm}
‹danger›1 used up ‹warning›1 above 80 % ‹warning›1 less than own open orders would use ‹warning›documents missing: 1
<Who grants whom> | For | <Used ↓> | <Left> | <Left after own orders> | <Now>
<CEDAR → ELM> | all contracts | ‹danger›used up ‹danger›▭100% 100.0 % 40 MW of 40 MW | 0 MW | 0 MW | \
‹danger›no credit left
<CEDAR → ELM> | N-9 | ‹warning›above 80 % ‹warning›▭85% 85.0 % 85 MWh of 100 MWh | 15 MWh | 5 MWh | \
‹danger›no credit left
<ASH → ELM> | all contracts | ‹good›▭75% 75.0 % 750 $ of 1K $ | 250 $ | | ‹good›can trade
<CEDAR → ASH> | all contracts | ‹good›▭75% 75.0 % 750 $ of 1K $ | 250 $ | ‹short›none, over by 50 $ | \
‹warning›documents missing
<ELM → CEDAR> | | no limit | | | ‹good›can trade`);
  });

  test.each([
    ["none of its pairs is the own entity's", null],
    ["there are none", 0],
  ])("says nothing of own orders if %s, and of warnings if there are none", async (_name, ownOrders) => {
    const limits = [limit({ ownOrders })];
    const page = await credit({ pairs: [pair("ASH", "ELM", { limits }), pair("ELM", "ASH", { limits })] });
    expect(page.text).toContain("‹good›no limit above 80 %, all documents in place");
    expect(page.text).toContain("<Who grants whom> | For | <Used ↓> | <Left> | <Now>");
    expect(page.text).not.toMatch(/own|CEDAR →/);
  });

  test("is sorted by another column on a click, and once more the other way round", async () => {
    const page = await credit();
    const first = () => page.readingOf(page.all("credit-open")[0]!).trim();
    const seen: string[] = [];
    for (const heading of ["Used", "Left", "Who grants whom", "Who grants whom", "Left after own orders"]) {
      await page.click(heading);
      seen.push(first());
    }
    expect(seen).toEqual(["<ASH → ELM>", "<ASH → ELM>", "<ASH → ELM>", "<ELM → CEDAR>", "<CEDAR → ELM>"]);
  });

  test("as a matrix has a row for each entity that grants and a column for each that gets, with what is used", async () => {
    const page = await asMatrix();
    expect(page.text).toContain("<Table> <Matrix ✓>");
    expect(page.text).toContain(LEGEND);
    expect(page.text).toEndWith(`grants to | AS | CE | EL
[AS](#/entities/ASH) | ‹same›| ‹none›| ‹tradable›▭75%
[CE](#/entities/CEDAR) | ‹documents›▭75% | ‹same›| ‹limit›▭100%
[EL](#/entities/ELM) | ‹none›| ‹tradable›| ‹same›`);
    const cells = page.all("td").map(({ attributes }) => attributes.get("aria-label"));
    expect(cells.slice(0, 6)).toEqual([
      "the same entity",
      "nothing is known",
      "ASH to ELM: can trade, 750 $ of 1K $ used",
      "CEDAR to ASH: documents missing, 750 $ of 1K $ used",
      "the same entity",
      "CEDAR to ELM: no credit left, 40 MW of 40 MW used",
    ]);
    expect(cells.at(-2)).toBe("ELM to CEDAR: can trade, no limit");
    expect(page.hints).toContain("Matrix of credit");
    expect(page.hints).toContain("Who can trade with whom");
  });

  test("has one cell in the tab order, which the keys move and whose pair is told", async () => {
    const page = await asMatrix();
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
    expect(page.find("CEDAR to ASH: documents missing, 750 $ of 1K $ used").attributes.get("aria-selected")).toBe(
      "true",
    );
    expect(page.text).toEndWith(`CEDAR and ASH
<Close the details>
‹warning›documents missing
CEDAR has not set its documents with ASH as in place.
CEDAR must set its documents.
Documents
[CEDAR](#/entities/CEDAR) says: ‹warning›pending
[ASH](#/entities/ASH) says: ‹warning›none
CEDAR grants ASH
Used, all contracts: ‹good›▭75% 75.0 % 750 $ of 1,000 $
Left: 250 $
After own orders: none, over by 50 $
ASH for CEDAR
Hidden from you, or not set.`);
    await page.click("Close the details");
    expect(page.text).not.toContain("Documents\n");
  });

  test("has the pairs of one entity, which the address may name", async () => {
    const page = await credit({}, "CEDAR");
    const names = () => page.all("credit-open").map((button) => page.readingOf(button).trim());
    expect([page.text.includes("Entity{all, ASH, Cedar Power*, Elm}"), names()])
      .toEqual([true, ["<ELM>", "<ELM>", "<ASH>"]]);
    expect(page.text).toContain("<CEDAR grants> | For");
    await page.click("ELM");
    expect(page.text).toContain("> <ELM>");
    expect(page.text).toContain("ELM grants CEDAR\nNo limit is set.");
    await page.type("Entity{all, ASH, Cedar Power*, Elm}", "ELM", "change");
    expect(names()).toEqual(["<CEDAR>"]);
    await page.type("Entity{all, ASH, Cedar Power, Elm*}", "", "change");
    expect(names().length).toBe(5);
  });

  test("is a table without a choice in a narrow window, and has the matrix again once it is wide", async () => {
    const { matchMedia } = globalThis;
    const query = { matches: true, listener: () => {} };
    const gone: unknown[] = [];
    const addEventListener = (_: string, listener: () => void) => void (query.listener = listener);
    const removeEventListener = (_: string, listener: () => void) => void gone.push(listener);
    globalThis.matchMedia = (() => Object.assign(query, { addEventListener, removeEventListener })) as never;
    try {
      const page = await asMatrix();
      query.matches = false;
      await settle(() => query.listener());
      expect(page.text).toContain("<Who grants whom> | For");
      expect(page.text).not.toMatch(/grants to|<Matrix/);
      query.matches = true;
      await settle(() => query.listener());
      expect(page.text).toContain("<Table> <Matrix ✓>");
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
    expect([sent.length - before, page.text.includes("CEDAR → ASH")]).toEqual([1, true]);
  });

  test("is read again if an own order has changed, since what would be left has, and after no other", async () => {
    market.creditRevision.value = MATRIX.revision;
    await credit();
    const order = (entityId: string) => (
      { sequence: 1, category: "order", type: "change.order", time: NOON, data: { id: "O", entityId } } as const
    );
    const reads: number[] = [];
    for (const given of [{ events: [order("ASH")] }, { events: [order("CEDAR")] }, { isWhole: true }]) {
      const before = sent.length;
      await settle(() => applyUpdates([update(given)]));
      await later(3_000);
      await later(3_000);
      reads.push(sent.length - before);
    }
    expect(reads).toEqual([0, 1, 1]);
  });

  test.each<[name: string, change: Partial<CreditMatrix>, argument: string, has: string, hasNot: string]>([
    ["there is none", { pairs: [] }, "", "No credit to see", "grants"],
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
    await page.click("ELM");
    expect(page.text).toContain("‹good›can trade\nASH and ELM can trade with each other.\nDocuments");
    expect(page.text).toContain("says: ‹good›in place");
    expect(page.text).not.toContain("They can.");
  });
});
