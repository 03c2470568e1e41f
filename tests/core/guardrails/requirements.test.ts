// Who is named to a user who lacks a permission, and how many names and characters messages and requests have at most.

import { expect, test } from "bun:test";
import { userNotAllowed } from "../../../core/backend/connection-errors.ts";
import { loggedParameters } from "../../../core/guardrails/logged-parameters.ts";
import { checkPermissions, holdersOf } from "../../../core/guardrails/requirements.ts";
import { definePrompt } from "../../../core/prompts/prompt.ts";
import { promptArguments } from "../../../core/prompts/prompt-catalogue.ts";
import { cookieValues } from "../../../core/server/sessions/session-cookie.ts";
import { ResourceTopics } from "../../../core/subscriptions/resource-topics.ts";
import { logger } from "../../../common/logger.ts";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import { snapshotOf } from "../../plugins/support/still-market.ts";
import { pubsubThatIs } from "../support/services.ts";

/** Users u0 to u(n-1) who hold the permission, one in another entity who does, and one who does not. */
function marketOf(count: number) {
  const user = (id: string, entityId: string, ...permissions: string[]) =>
    [`/USER/${id}`, { name: id, entityId, permissions, connected: false }] as const;
  const holders = Array.from({ length: count }, (_, at) => user(`u${at}`, "own", "Market.Operate"));
  const others = [user("other", "foreign", "Market.Operate"), user("idle", "own", "Market.View")];
  return snapshotOf(Object.fromEntries([...holders, ...others]));
}

test.each([
  [0, ""],
  [1, " Held by u0."],
  [4, " Held by u0, u1, u2, u3."],
  [5, " Held by u0, u1, u2, u3 and 1 more."],
])("of %d users of an entity who hold a permission it names: %p", (count, who) => {
  expect(holdersOf("Market.Operate", { snapshot: marketOf(count) }, "own").split(" and ")).toEqual(who.split(" and "));
});

test("of all entities it names those who hold the permission, and none of another one", () => {
  const snapshot = marketOf(1);
  const names = holdersOf("Market.Operate", { snapshot });
  expect([names.includes("u0"), names.includes("other"), names.includes("idle")]).toEqual([true, true, false]);
  expect(holdersOf("Market.View", { snapshot })).toBe(" Held by idle.");
});

test("the first permission that is missing is named, and none if all are held or no session is known", () => {
  const check = (held: readonly string[] | null) => {
    const pubsub = pubsubThatIs(held === null ? "disconnected" : "connected", held ?? []);
    const context = { pubsub, snapshot: marketOf(1), advice: NEUTRAL_ADVICE } as never;
    checkPermissions({ permissions: ["Market.View", "Market.Operate"] }, context);
  };
  expect(() => check(["Market.View"])).toThrow("User user-1 lacks the permission Market.Operate. Held by");
  expect(() => check(["Market.Operate"])).toThrow("lacks the permission Market.View. Held by idle.");
  for (const passing of [["Market.Operate", "Market.View"], null]) check(passing);
});

test.each([[10, "9)"], [11, "9 and 1 more)"]])("of %d allowed users the hint names ten", (count, end) => {
  const { hint } = userNotAllowed("x", Array.from({ length: count }, (_, at) => String(at)));
  expect(hint).toContain(`(0, 1, 2, 3, 4, 5, 6, 7, 8, ${end}`);
});

test.each<[string, number, (text: string) => boolean]>([
  ["a logged id", 200, (text) => loggedParameters({ text })["text"] === text],
  ["a session's header", 16_384, (text) => cookieValues(`s=${text.slice(2)}`, "s").length === 1],
  ["an argument of a prompt", 200, (text) => passes(() => promptArguments(promptWith({}), { text }))],
  [
    "an argument with its own limit",
    7,
    (text) => passes(() => promptArguments(promptWith({ maxLength: 7 }), { text })),
  ],
  ["a followed URI", 1_000, (text) => passes(() => topics.resource(text))],
])("%s has up to %d characters", (_, most, isTaken) => {
  expect([isTaken("x".repeat(most)), isTaken("x".repeat(most + 1))]).toEqual([true, false]);
});

function passes(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

const promptWith = (limit: { readonly maxLength?: number }) =>
  definePrompt({
    name: "p",
    title: "t",
    description: "d",
    arguments: { text: { description: "d", ...limit } },
    messages: () => "",
  } as never);

/** Every URI is a resource that never changes. */
const topics = new ResourceTopics(
  {
    resources: { find: () => ({ resource: { name: "r", version: () => 1 }, parameters: {} }) },
    requests: { contextFor: () => ({}) },
  } as never,
  logger("test"),
);
