// What `mkt doctor` says of Redis: whether it can be used as replicas use it, and what of its settings could lose data.

import type { Logger } from "../common/logger.ts";
import { BunRedisLink } from "./redis/bun-redis-link.ts";
import { keysOf } from "./redis/keys.ts";
import type { Namespace } from "./group/namespace-kill-switch.ts";
import { shownAddress } from "./redis/redis-address.ts";
import type { RedisLink, Script } from "./redis/redis-link.ts";

const PINGS = 10;

interface RedisFinding {
  readonly state: "ok" | "warning" | "failed";
  readonly detail: string;
}

/** Does what replicas do: a script that reads, writes and expires a key of the group. */
const TRIAL: Script = {
  name: "try a key of the group",
  lua: `
redis.call('SET', KEYS[1], ARGV[1], 'PX', 1000)
local found = redis.call('GET', KEYS[1])
redis.call('DEL', KEYS[1])
return found
`,
};

/** `userId`: MKT_USER_ID. */
export async function examineRedis({ url, namespace }: Namespace, userId: string, log: Logger): Promise<RedisFinding> {
  const shown = shownAddress(url);
  const link = new BunRedisLink({ url, log });
  try {
    await link.attempted();
    const keys = keysOf(namespace, userId);
    await link.run(TRIAL, [keys.trial], ["tried"]);
    await link.send("HMGET", [keys.killSwitch, "version"]);
    const latencyMs = await medianLatencyMs(link);
    const facts = infoFields(await link.send("INFO", []).catch((error: Error) => `error:${error.message}`));
    const warnings = warningsOf(facts);
    const server = `version ${facts.get("valkey_version") ?? facts.get("redis_version") ?? "unknown"}`;
    const summary = `${shown}, namespace ${namespace}, ${server}, ${latencyMs.toFixed(2)} ms a round trip`;
    if (warnings.length === 0) return { state: "ok", detail: summary };
    return { state: "warning", detail: `${summary}; ${warnings.join("; ")}` };
  } catch (error) {
    const { message } = error as Error;
    return {
      state: "failed",
      detail: `${shown}: ${message.replace(/\.+$/, "")}. ${remedy(message, url.startsWith("rediss:"))}`,
    };
  } finally {
    link.close();
  }
}

function warningsOf(facts: ReadonlyMap<string, string>): string[] {
  const warnings: string[] = [];
  const fault = facts.get("error");
  if (fault !== undefined) warnings.push(`its settings can't be checked, because INFO is refused (${fault})`);
  const policy = facts.get("maxmemory_policy");
  if (policy !== undefined && policy !== "noeviction") {
    warnings.push(`its maxmemory-policy is ${policy}, so it may drop the kill switch: set noeviction`);
  }
  if (facts.get("aof_enabled") === "0") {
    warnings.push(
      "it keeps no append-only file: if it restarts while no replica runs, events, connection and freeze are lost",
    );
  }
  return warnings;
}

function remedy(message: string, isTls: boolean): string {
  if (/WRONGPASS|NOAUTH|AUTH/.test(message)) {
    return "Set user and password in MKT_REDIS_URL: redis://user:password@host:port.";
  }
  if (message.includes("NOPERM")) return "Give the user the permissions that docs/security.md lists.";
  if (message.includes("OOM")) return "Give it more memory: raise its maxmemory (docs/scaling.md has the sizes).";
  if (message.includes("MISCONF")) return "It can't write to its disk: see its log.";
  if (/CERT|SELF_SIGNED|certificate/i.test(message)) {
    return "Name the certificate of its authority in NODE_EXTRA_CA_CERTS, and use the host name that it was issued for.";
  }
  if (isTls && /SSL|TLS|closed|no answer/.test(message)) return "If the server does not speak TLS, use redis://.";
  if (/closed/.test(message)) return "If the server speaks TLS, use rediss://.";
  return "Check MKT_REDIS_URL, and that the server runs.";
}

async function medianLatencyMs(link: RedisLink): Promise<number> {
  const times: number[] = [];
  for (let ping = 0; ping < PINGS; ping += 1) {
    const began = performance.now();
    await link.send("PING", []);
    times.push(performance.now() - began);
  }
  return times.toSorted((one, other) => one - other)[PINGS / 2] ?? 0;
}

/** The fields of the text that INFO gives. */
function infoFields(reply: unknown): ReadonlyMap<string, string> {
  const lines = String(reply).split(/\r?\n/).filter((line) => line.includes(":"));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]));
}
