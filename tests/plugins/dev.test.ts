// The dev pack: offered only with STRESS_TEST_SECRET, and effective only if the engine has the same secret.

import { expect, test } from "bun:test";
import { unavailability } from "../../core/packs/pack-choice.ts";
import dev from "../../plugins/dev/index.ts";
import { configurationFor } from "../core/support/services.ts";
import { Desk, list, text } from "./support/desk.ts";
import { SECRET } from "./support/market.ts";

const RESET = "mkt_dev_reset_credit_and_docs";

const desk = await Desk.open();

test("is unavailable without STRESS_TEST_SECRET, with the reason", async () => {
  expect(unavailability(dev, configurationFor())).toContain("STRESS_TEST_SECRET");
  expect(unavailability(dev, configurationFor({ STRESS_TEST_SECRET: "s" }))).toBeNull();
  expect((await desk.seat("olga")).runtime.dispatcher.catalogue.get(RESET)).toBeUndefined();
});

test("sets credit and documents between all entities, and a repeat changes nothing more", async () => {
  const olga = await desk.connected("olga", { STRESS_TEST_SECRET: SECRET });
  const first = await olga.ok(RESET, { creditLimit: 7000 });
  expect(first).toMatchObject({ status: "success", summary: { entities: 3, pairs: 6 }, errors: [], userId: "olga" });
  const credits = async () =>
    list(await olga.ok("mkt_find_modules", { moduleType: "CREDIT", fields: ["all"] }), "modules");
  expect(await credits()).toHaveLength(6);
  for (const credit of await credits()) {
    expect(credit).toMatchObject({ documentation: "docs_in_place", counterpartyDocumentation: "docs_in_place" });
    expect(list(credit, "limits")).toContainEqual(
      expect.objectContaining({ limitType: "notional", scope: "total", limit: 7000 }),
    );
  }
  const limits = (await credits()).map(({ limits }) => limits);
  await olga.ok(RESET, { creditLimit: 7000 });
  expect((await credits()).map(({ limits }) => limits)).toEqual(limits);
});

test("skipCredit leaves credit, and skipDocs leaves documents, unchanged", async () => {
  const olga = await desk.connected("olga", { STRESS_TEST_SECRET: SECRET });
  expect(await olga.ok(RESET, { creditLimit: 1, skipCredit: true })).toMatchObject({ summary: { creditUpdates: 0 } });
  expect(await olga.ok(RESET, { creditLimit: 7000, skipDocs: true })).toMatchObject({ summary: { docsUpdates: 0 } });
});

test("rejects a wrong secret and shows it nowhere", async () => {
  const olga = await desk.connected("olga", { STRESS_TEST_SECRET: "another secret" });
  const { isError, value } = await olga.call(RESET, { creditLimit: 1 });
  expect(isError).toBe(true);
  expect(value).toMatchObject({
    status: "rejected",
    reason: "wrong_secret",
    error: { code: "forbidden" },
    summary: null,
    errors: [],
  });
  expect(JSON.stringify(value)).not.toContain("another secret");
  expect(text(value, "message")).not.toContain(SECRET);
});
