// Which history of an acting user is the newest, for replicas that start.
//
// It is only a hint: the engine's welcome says which history a connection belongs to. So a replica that is not up to date may
// write an older one here without harm, and anything unreadable counts as none.

import { z } from "zod";
import { parseJson } from "../../protocol/json.ts";
import { type History, isSameHistory } from "../../core/market/event-content.ts";
import type { Keys } from "../redis/keys.ts";
import type { RedisLink } from "../redis/redis-link.ts";

const history = z.strictObject({
  engineId: z.string(),
  epoch: z.int().nonnegative(),
  userId: z.string(),
  entityId: z.string().nullable(),
  capabilities: z.array(z.string()),
});

/** Null if there is none. */
export async function newestHistory(link: RedisLink, keys: Keys, userId: string): Promise<History | null> {
  const key = keys.newestHistory(userId);
  if (await link.send("TYPE", [key]) !== "string") return null;
  const parsed = history.safeParse(parseJson(String(await link.send("GET", [key]))));
  return parsed.success && parsed.data.userId === userId ? parsed.data : null;
}

/** Makes this history the newest. Gives the one in whose place it comes; null if there was none, or the same. */
export async function setNewestHistory(link: RedisLink, keys: Keys, newest: History): Promise<History | null> {
  const before = await newestHistory(link, keys, newest.userId);
  if (before !== null && isSameHistory(before, newest)) return null;
  await link.send("SET", [keys.newestHistory(newest.userId), JSON.stringify(newest)]);
  return before;
}
