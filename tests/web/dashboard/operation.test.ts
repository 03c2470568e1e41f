// The dialog that confirms whatever changes something, and why something can't be done. reading.ts explains the notation.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { openDashboard, type State } from "../support/dashboard.ts";
import { Refusal, settle, show } from "../support/browser.ts";

const dashboard = await openDashboard();
const { inState } = dashboard;
const { ConfirmDialog } = await import("../../../web/dashboard/operation/confirm-dialog.tsx");
const { closeWithPage, confirmAndCall, confirmation } = await import(
  "../../../web/dashboard/operation/confirmation.ts"
);
const { whyNot } = await import("../../../web/dashboard/operation/permission.ts");

describe("the confirmation", () => {
  const WORDS = { title: "Resume Plains", effect: "The halt ends.", verb: "Resume market" };

  test("says what will be done, as whom, and its outcome; a repetition has the same key", async () => {
    const page = await show(h(ConfirmDialog, {}));
    expect(page.text).toBe("");
    const outcome = confirmAndCall("mkt_resume_market", { marketId: "M" }, WORDS);
    await settle();
    expect(page.text).toBe(
      "‹control›Resume Plains\n<Close>\nThe halt ends.\nActing as anna of CEDAR, signed in with the token desk.\n" +
        "<Cancel> <‹primary›Resume market>",
    );
    dashboard.answers["mkt_resume_market"] = {
      kind: "result",
      isError: true,
      result: { status: "timeout", message: "No answer." },
    };
    await page.click("Resume market");
    expect(page.text).toContain(
      "‹warning›Outcome unknown It may have taken effect, or not. Check the state before you repeat it.\ntimeout No answer.",
    );
    dashboard.answers["mkt_resume_market"] = { status: "success", message: "Resumed." };
    await page.click("Try again");
    expect(page.text).toBe("‹control›Resume Plains\n<Close>\n‹good›Done Resumed.\n<‹primary›Close>");
    const keys = dashboard.sent.map(({ body }) =>
      (body as { arguments: { idempotencyKey: string } }).arguments.idempotencyKey
    );
    expect([keys.length, new Set(keys).size, keys[0]!.length > 20]).toEqual([2, 1, true]);
    await settle(() => confirmation.value!.close());
    expect([page.text, (await outcome).kind]).toEqual(["", "success"]);
  });

  test("a page without TLS, whose browser makes no such keys, has keys of 32 digits", async () => {
    const { randomUUID } = crypto;
    Object.assign(crypto, { randomUUID: undefined });
    dashboard.answers["mkt_resume_market"] = { status: "success" };
    const outcome = confirmAndCall("mkt_resume_market", {}, WORDS);
    Object.assign(crypto, { randomUUID });
    await settle(() => confirmation.value!.agree());
    await settle(() => confirmation.value!.close());
    expect((await outcome).kind).toBe("success");
    const { arguments: given } = dashboard.sent.at(-1)!.body as { arguments: { idempotencyKey: string } };
    expect(given.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  test("does not outlive its page, unless it is under way", async () => {
    const page = await show(h(ConfirmDialog, {}));
    closeWithPage();
    const asked = Promise.withResolvers<unknown>();
    dashboard.answers["mkt_halt_market"] = () => asked.promise;
    const left = confirmAndCall("mkt_halt_market", {}, { ...WORDS, serverAsks: true });
    await settle(closeWithPage);
    // The server's question comes when nobody waits for it any more.
    await settle(() => asked.resolve({ kind: "question", question: "Halt Plains?", state: "s" }));
    expect([page.text, (await left).kind]).toEqual(["", "cancelled"]);

    const answered = Promise.withResolvers<unknown>();
    dashboard.answers["mkt_resume_market"] = () => answered.promise;
    const working = confirmAndCall("mkt_resume_market", {}, WORDS);
    await settle(() => confirmation.value!.agree());
    await settle(closeWithPage);
    expect(page.text).toContain("Waiting for the answer");
    await settle(() => answered.resolve({ status: "success", message: "Resumed." }));
    expect(page.text).toContain("Done Resumed.");
    await settle(closeWithPage);
    expect([page.text, (await working).kind]).toEqual(["", "success"]);
  });

  test("what is cancelled is not sent", async () => {
    const page = await show(h(ConfirmDialog, {}));
    const outcome = confirmAndCall("mkt_sim_stop", {}, { ...WORDS, isDangerous: true });
    await settle();
    expect(page.text).toContain("‹danger›Resume Plains");
    expect(page.text).toContain("<‹danger›Resume market>");
    await page.click("Cancel");
    expect([(await outcome).kind, dashboard.sent.length, page.text]).toEqual(["cancelled", 0, ""]);
  });

  test("agrees to the server's own question, and offers no repetition of what could be done twice", async () => {
    inState({ connection: { userId: null, entityId: null }, session: { caller: null } });
    dashboard.answers["mkt_sim_stop"] = { kind: "question", question: "Stop all 50?", state: "signed" };
    const page = await show(h(ConfirmDialog, {}));
    const outcome = confirmAndCall("mkt_sim_stop", {}, { ...WORDS, serverAsks: true, check: "Look at the page." });
    await settle();
    expect(page.text).toContain("Stop all 50?\nActing as nobody: not connected.");
    delete dashboard.answers["mkt_sim_stop"];
    await page.click("Resume market");
    expect(page.text).toContain("<Cancel ✗>");
    expect(page.text).toContain("<‹primary›Resume market ✗> ‹reason›Waiting for the answer");
    expect(page.text).not.toContain("<Close>");
    expect(dashboard.sent.map(({ body }) => body)).toEqual([{ arguments: {} }, { arguments: {}, agreed: "signed" }]);
    confirmation.value!.close();
    await outcome;
    await settle();
    dashboard.answers["mkt_sim_stop"] = () => {
      throw new Refusal(504, { code: "gateway", message: "No answer." });
    };
    void confirmAndCall("mkt_sim_stop", {}, { ...WORDS, check: "Look at the page." });
    await settle();
    await page.click("Resume market");
    expect(page.text).toContain("or not. Look at the page.");
    expect(page.text).not.toContain("Try again");
    await settle(() => confirmation.value!.close());
  });

  test("shows the server's question while it is on its way, and a refusal with the way to repeat it", async () => {
    const page = await show(h(ConfirmDialog, {}));
    void confirmAndCall("mkt_halt_market", {}, { ...WORDS, serverAsks: true });
    await settle();
    expect(page.all("skeleton").map(({ attributes }) => attributes.get("aria-label"))).toEqual(["Asking the server"]);
    await settle(() => confirmation.value!.close());
    dashboard.answers["mkt_halt_market"] = {
      kind: "result",
      isError: true,
      result: { error: { code: "forbidden", message: "No." } },
    };
    void confirmAndCall("mkt_halt_market", {}, WORDS);
    await settle();
    await page.click("Resume market");
    expect(page.text).toContain("forbidden No.\nThis server acts as one user at a time");
    expect(page.text).toContain("\n<Try again> <‹primary›Close>");
    await settle(() => confirmation.value!.close());
  });
});

test.each<[name: string, needs: Parameters<typeof whyNot>[0], state: Partial<State>, expected: string | null]>([
  ["all is well", { permission: "Market.Operate", connection: true }, {}, null],
  ["somebody only looks", {}, { session: { access: "view" } }, "Only in Control"],
  ["there is no session", {}, { session: null }, "Only in Control"],
  [
    "the server is away",
    {},
    { contact: { state: "reconnecting", since: 0, attempt: 1 } },
    "No contact with the server",
  ],
  ["the server is silent", {}, { contact: { state: "stale", since: 0 } }, null],
  ["the server is frozen", {}, { frozen: { reason: null, since: null } }, "The server is frozen"],
  ["a freeze allows it", { allowedWhenFrozen: true }, { frozen: { reason: null, since: null } }, null],
  ["it needs no connection", {}, { connection: { status: "disconnected" } }, null],
  ["it needs one", { connection: true }, { connection: { status: "reconnecting" } }, "Not connected to the market"],
  ["its permission needs one", { permission: "Market.View" }, { connection: null }, "Not connected to the market"],
  ["it lacks the permission", { permission: "Dev.Reset" }, {}, "anna lacks Dev.Reset"],
])("something can be done, or why not: %s", (_name, needs, state, expected) => {
  inState(state);
  expect(whyNot(needs)).toBe(expected);
});
