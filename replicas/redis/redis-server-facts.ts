// Which servers can be used: a single Redis or Valkey that takes writes. And since when one runs.

import type { RedisLink } from "./redis-link.ts";

/** Redis 6.2 is the oldest version that the scripts are meant for. */
const OLDEST = [6, 2] as const;

/** Why the server can't be used, from its reply to HELLO; null if it can. */
export function unusableServer(hello: unknown): string | null {
  const { mode, role, version } = (hello ?? {}) as Readonly<Record<string, unknown>>;
  if (mode === "cluster") {
    return "the server is part of a Redis Cluster, which is not supported: set MKT_REDIS_URL to a single server";
  }
  if (mode === "sentinel") {
    return "the server is a Redis Sentinel, which is not supported: set MKT_REDIS_URL to the primary itself";
  }
  if (role === "replica" || role === "slave") return "the server is a read-only copy: set MKT_REDIS_URL to the primary";
  if (typeof version === "string" && isTooOld(version)) {
    return `the server is version ${version}: at least ${OLDEST.join(".")} is needed`;
  }
  return null;
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < OLDEST[0] || major === OLDEST[0] && minor < OLDEST[1];
}

/** Since its start; infinite if it does not say. */
export async function uptimeSeconds(link: RedisLink): Promise<number> {
  const facts = String(await link.send("INFO", ["server"]));
  return Number(/^uptime_in_seconds:(\d+)/m.exec(facts)?.[1] ?? Infinity);
}
