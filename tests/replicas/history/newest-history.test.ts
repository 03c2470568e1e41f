import { expect, test } from "bun:test";
import type { History } from "../../../core/market/event-content.ts";
import { newestHistory, setNewestHistory } from "../../../replicas/history/newest-history.ts";
import { keysOf } from "../../../replicas/redis/keys.ts";
import type { RedisLink } from "../../../replicas/redis/redis-link.ts";

const KEYS = keysOf("mkt", "anna");
const ANNA: History = { engineId: "e-1", epoch: 7, userId: "anna", entityId: "north", capabilities: ["trade"] };
const OPERATOR: History = { ...ANNA, userId: "operator", entityId: null, capabilities: [] };

/** Redis with texts alone. */
function redisWith(texts: Readonly<Record<string, string>> = {}) {
  const values = new Map(Object.entries(texts));
  let writes = 0;
  const send = (command: string, [key = "", value = ""]: readonly string[]): Promise<unknown> => {
    if (command === "TYPE") return Promise.resolve(values.has(key) ? "string" : "none");
    if (command === "GET") return Promise.resolve(values.get(key) ?? null);
    writes += 1;
    return Promise.resolve(void values.set(key, value));
  };
  return { link: { send } as unknown as RedisLink, writes: () => writes };
}

test.each([["of a user with an entity", ANNA], ["of a user without an entity", OPERATOR], [
  "of the first epoch",
  { ...ANNA, epoch: 0 },
]])("the newest history %s is found as it was set, and only for its user", async (_whose, history) => {
  const { link } = redisWith();
  expect(await newestHistory(link, KEYS, history.userId)).toBeNull();
  expect(await setNewestHistory(link, KEYS, history)).toBeNull();
  expect(await newestHistory(link, KEYS, history.userId)).toEqual(history);
  expect(await newestHistory(link, KEYS, "another")).toBeNull();
});

test.each<[string, Partial<History>]>([
  ["of another engine", { engineId: "e-2" }],
  ["of another epoch", { epoch: 8 }],
  ["with another entity", { entityId: "south" }],
  ["without an entity", { entityId: null }],
  ["with other rights", { capabilities: [] }],
])("a history %s takes the place of the one before, which the writer learns", async (_what, other) => {
  const { link, writes } = redisWith();
  await setNewestHistory(link, KEYS, ANNA);
  expect(await setNewestHistory(link, KEYS, ANNA)).toBeNull();
  expect(writes()).toBe(1);
  expect(await setNewestHistory(link, KEYS, { ...ANNA, ...other })).toEqual(ANNA);
  expect(await newestHistory(link, KEYS, "anna")).toEqual({ ...ANNA, ...other });
  expect(writes()).toBe(2);
});

test.each([
  ["no JSON", "{"],
  ["the history of another user", JSON.stringify(OPERATOR)],
  ["a history with something unknown", JSON.stringify({ ...ANNA, more: 1 })],
  ["a history with a negative epoch", JSON.stringify({ ...ANNA, epoch: -1 })],
])("%s counts as none, and is replaced", async (_what, text) => {
  const { link } = redisWith({ [KEYS.newestHistory("anna")]: text });
  expect(await newestHistory(link, KEYS, "anna")).toBeNull();
  expect(await setNewestHistory(link, KEYS, ANNA)).toBeNull();
  expect(await newestHistory(link, KEYS, "anna")).toEqual(ANNA);
});
