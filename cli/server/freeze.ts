// `mkt freeze [reason]` and `mkt thaw`: the operator's kill switch. The file MKT_FREEZE_FILE concerns the servers of this host
// (or volume), the switch on Redis all replicas of the namespace. Both are tried, and each says whether it was reached.

import { oneLine } from "../../common/command-line.ts";
import { errorMessage } from "../../common/error-message.ts";
import { logger } from "../../common/logger.ts";
import type { KillSwitchTargets } from "../configured.ts";
import { FreezeFile } from "../../core/guardrails/freeze-file.ts";

/** Lines for the operator. */
export interface KillSwitchOutcome {
  readonly done: readonly string[];
  readonly failed: readonly string[];
}

export async function freeze({ path, redis }: KillSwitchTargets, reason: string): Promise<KillSwitchOutcome> {
  return await outcomeOf([
    path !== null && (() => freezeFile(path, reason)),
    redis !== null && (async () => {
      const { freezeNamespace } = await import("../../replicas/group/namespace-kill-switch.ts");
      await reached(redis, "NOT frozen", () => freezeNamespace(redis, reason, logger("freeze")));
      return `frozen: every replica of namespace ${redis.namespace} refuses changes from its next call on, until mkt thaw`;
    }),
  ]);
}

export async function thaw({ path, redis }: KillSwitchTargets): Promise<KillSwitchOutcome> {
  return await outcomeOf([
    path !== null && (() => thawFile(path)),
    redis !== null && (async () => {
      const { thawNamespace } = await import("../../replicas/group/namespace-kill-switch.ts");
      const ended = await reached(redis, "NOT thawed", () => thawNamespace(redis, logger("freeze")));
      const replicas = `the replicas of namespace ${redis.namespace}`;
      return ended === null ? `${replicas} were not frozen` : `thawed: ${replicas}`;
    }),
  ]);
}

function freezeFile(path: string, reason: string): string {
  const file = new FreezeFile(path);
  file.freeze(reason);
  if (file.read() === null) throw new Error(`NOT frozen: ${path} does not exist`);
  return `frozen: every server with MKT_FREEZE_FILE=${path} refuses changes from its next call on, until mkt thaw`;
}

function thawFile(path: string): string {
  const file = new FreezeFile(path);
  const wasFrozen = file.thaw();
  const left = file.read();
  if (left !== null) throw new Error(`still frozen: ${oneLine(left.reason ?? path)}`);
  return wasFrozen ? "thawed" : "it was not frozen";
}

async function reached<Value>(
  { url, namespace }: NonNullable<KillSwitchTargets["redis"]>,
  otherwise: string,
  change: () => Promise<Value>,
): Promise<Value> {
  const { shownAddress } = await import("../../replicas/redis/redis-address.ts");
  try {
    return await change();
  } catch (error) {
    const why = `${shownAddress(url)}: ${errorMessage(error)}`;
    throw new Error(`${otherwise} for the replicas of namespace ${namespace}, by ${why}`, { cause: error });
  }
}

async function outcomeOf(attempts: readonly (false | (() => string | Promise<string>))[]): Promise<KillSwitchOutcome> {
  const done: string[] = [];
  const failed: string[] = [];
  for (const attempt of attempts) {
    if (attempt === false) continue;
    try {
      done.push(await attempt());
    } catch (error) {
      failed.push(errorMessage(error));
    }
  }
  return { done, failed };
}
