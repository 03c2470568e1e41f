// The page that operates the market and this server. reading.ts explains the notation.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { settle, show } from "../support/browser.ts";
import { openDashboard, type State } from "../support/dashboard.ts";

const { answers, inState, lastSent } = await openDashboard();
const { default: Operate } = await import("../../../web/dashboard/pages/operate.tsx");
const { ConfirmDialog } = await import("../../../web/dashboard/operation/confirm-dialog.tsx");
const { confirmation } = await import("../../../web/dashboard/operation/confirmation.ts");

const page = (content: typeof Operate) => show(h("div", {}, h(content, { argument: "" }), h(ConfirmDialog, {})));
const FROZEN = { frozen: { reason: "drill", since: null } } satisfies Partial<State>;
const OFF = { connection: { status: "disconnected", userId: null, entityId: null, permissions: [] } } satisfies Partial<
  State
>;

describe("the page that operates the market", () => {
  test.each<[name: string, state: Partial<State>, expected: string[], hasNot: string]>([
    [
      "all is well",
      {},
      [
        "Market Plains\n‹good›Open\nReason\n{__} Everybody who sees the market can read it.\n<‹danger›Halt market>\n",
        "This server\n‹good›not frozen",
        "<‹danger›Freeze server ✗> ‹reason›Give a reason first",
        "Connection to the market\n‹good›connected\nActing user anna, entity CEDAR\n<‹danger›Disconnect>",
      ],
      "Resume market",
    ],
    [
      "the market is halted",
      { markets: [{ halted: true, haltReason: "storm" }] },
      ["‹danger›HALTED\nHalted. Reason: storm", "<‹primary›Resume market>"],
      "<‹danger›Halt",
    ],
    [
      "the server is frozen",
      FROZEN,
      [
        "‹info›FROZEN\nIt changes nothing until somebody runs mkt thaw",
        "<‹danger›Halt market>\n",
        "<‹danger›Disconnect>",
      ],
      "Freeze server",
    ],
    [
      "the server is frozen and the market halted",
      { ...FROZEN, markets: [{ halted: true }] },
      ["<‹primary›Resume market ✗> ‹reason›The server is frozen"],
      "Freeze server",
    ],
    [
      "the user may not",
      { connection: { permissions: [] } },
      ["<‹danger›Halt market ✗> ‹reason›anna lacks Market.Operate", "<‹danger›Disconnect>"],
      "<‹danger›Disconnect ✗>",
    ],
    [
      "the server is not connected",
      OFF,
      ["‹warning›disconnected\nNobody acts.\n<Connect>", "<‹danger›Halt market ✗> ‹reason›Not connected to the market"],
      "Disconnect",
    ],
    [
      "the user may not, and the market is halted",
      { connection: { permissions: [] }, markets: [{ halted: true }] },
      ["<‹primary›Resume market ✗> ‹reason›anna lacks Market.Operate"],
      "Halt market",
    ],
    ["the server is frozen and not connected", { ...FROZEN, ...OFF }, ["\nNobody acts.\n<Connect>"], "Disconnect"],
    ["it has no kill switch", { connection: { offersFreeze: false } }, [
      "This server has no kill switch (MKT_FREEZE_FILE)",
    ], "Give a reason first"],
    ["the user has no entity", { connection: { entityId: null } }, ["Acting user anna\n"], "entity"],
    ["it is no longer control", { session: { access: "view" } }, ["This page is for Control."], "Halt"],
  ])("if %s", async (_name, state, expected, hasNot) => {
    inState(state);
    const { text } = await page(Operate);
    for (const part of expected) expect(`${text}\n`).toContain(part);
    expect(text).not.toContain(hasNot);
  });

  test("takes reasons of a thousand characters, as the server does, for a halt and for a freeze", async () => {
    const lengths = (await page(Operate)).all("input").map((field) => field.attributes.get("maxLength"));
    expect(lengths.map(Number)).toEqual([1_000, 1_000]);
  });

  test("halts the market that is meant, in the server's own words, and resumes it", async () => {
    inState({ markets: [{ id: "A" }, { id: "B", name: "Coast", halted: true }] });
    answers["mkt_halt_market"] = { kind: "question", question: "Halt Plains for all?", state: "s" };
    const shown = await page(Operate);
    await shown.type("Reason", " storm ");
    await shown.click("Halt market");
    expect(shown.text).toContain("‹danger›Halt Plains\n");
    expect([lastSent(), shown.text.includes("Halt Plains for all?")])
      .toEqual([["tools/mkt_halt_market", { marketId: "A", reason: "storm" }, "string"], true]);
    await shown.click("Cancel");
    answers["mkt_resume_market"] = { status: "success", message: "Resumed." };
    await shown.click("Resume market");
    expect(shown.text).toContain("‹control›Resume Coast\n<Close>\nThe halt of Coast (B) ends, for everyone.");
    await settle(() => confirmation.value!.agree());
    expect(lastSent()).toEqual(["tools/mkt_resume_market", { marketId: "B" }, "string"]);
    await settle(() => confirmation.value!.close());
  });

  test("freezes with a reason, connects and disconnects", async () => {
    inState({ markets: [] });
    answers["POST /dashboard/freeze"] = {};
    const shown = await page(Operate);
    await shown.click("Freeze server");
    expect(confirmation.value).toBeNull();
    await shown.type("Reason", " drill ");
    await shown.click("Freeze server");
    expect(shown.text).toContain("‹danger›Freeze this server\n");
    await settle(() => confirmation.value!.agree());
    expect([lastSent()[0], lastSent()[1], shown.text.includes("‹good›Done The server is frozen.")])
      .toEqual(["freeze", { reason: "drill" }, true]);
    await settle(() => confirmation.value!.close());
    answers["mkt_disconnect_pubsub"] = answers["mkt_connect_pubsub"] = { status: "success" };
    await shown.click("Disconnect");
    expect(shown.text).toContain("‹danger›Disconnect this server from the market\n");
    expect(shown.text).toContain("Orders of anna stay in the market.");
    await settle(() => confirmation.value!.agree());
    expect(lastSent()).toEqual(["tools/mkt_disconnect_pubsub", {}, "undefined"]);
    await settle(() => confirmation.value!.close());
    await settle(() => inState({ markets: [], ...OFF }));
    await shown.click("Connect");
    await settle(() => confirmation.value!.agree());
    expect(lastSent()).toEqual(["tools/mkt_connect_pubsub", {}, "undefined"]);
    await settle(() => confirmation.value!.close());
  });
});
