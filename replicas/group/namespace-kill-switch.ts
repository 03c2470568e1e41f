// The kill switch of a namespace for a command of the shell: it freezes or thaws, and ends.

import type { Logger } from "../../common/logger.ts";
import type { Freeze } from "../../core/tools/freeze.ts";
import { BunRedisLink } from "../redis/bun-redis-link.ts";
import { killSwitchKey } from "../redis/keys.ts";
import { Register } from "./register.ts";
import { freezeOf, freezeText, THAWED } from "./shared-kill-switch.ts";

/** How long Redis may be unavailable, in milliseconds: longer than one attempt and the search for the reason of its failure. */
const CONNECT_MS = 4_000;

export interface Namespace {
  /** MKT_REDIS_URL. */
  readonly url: string;
  /** MKT_REDIS_NAMESPACE. */
  readonly namespace: string;
}

/** Rejects if Redis does not confirm it. */
export async function freezeNamespace(target: Namespace, reason: string, log: Logger): Promise<void> {
  await withRegister(target, log, (register) => register.change(freezeText(reason, Date.now())));
}

/** Gives the freeze that it has ended; null if there was none. Rejects if Redis does not confirm it. */
export async function thawNamespace(target: Namespace, log: Logger): Promise<Freeze | null> {
  return await withRegister(target, log, async (register) => {
    await register.read();
    const freeze = freezeOf(register);
    // Also if it was not frozen: replicas may remember a freeze that Redis has lost.
    await register.change(THAWED);
    return freeze;
  });
}

async function withRegister<Value>(
  { url, namespace }: Namespace,
  log: Logger,
  use: (register: Register) => Promise<Value>,
): Promise<Value> {
  const link = new BunRedisLink({ url, log });
  try {
    await link.connected(CONNECT_MS);
    return await use(new Register(link, killSwitchKey(namespace)));
  } finally {
    link.close();
  }
}
