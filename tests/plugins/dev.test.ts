// The dev pack: offered only with STRESS_TEST_SECRET, and effective only if the engine has the same secret.

import { expect, test } from "bun:test";
import { unavailability } from "../../core/packs/pack-choice.ts";
import dev from "../../plugins/dev/index.ts";
import { configurationFor } from "../core/support/services.ts";
import { Desk, text } from "./support/desk.ts";
import { SECRET } from "./support/market.ts";

const RESET = "mkt_dev_reset_credit_and_docs";

const desk = await Desk.open();

test("is unavailable without STRESS_TEST_SECRET, with the reason", async () => {
  expect(unavailability(dev, configurationFor())).toContain("STRESS_TEST_SECRET");
  expect(unavailability(dev, configurationFor({ STRESS_TEST_SECRET: "s" }))).toBeNull();
  expect((await desk.seat("olga")).runtime.dispatcher.catalogue.get(RESET)).toBeUndefined();
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
