// Pending request states on Redis, so that any replica of the group may take a state that another one gave, and only one of
// them does. Times are those of Redis.
//
// The key that signs states is on Redis, too: the first replica that needs one makes it. If Redis has lost it, a replica that
// remembers it puts it back.

import type { Logger } from "../../common/logger.ts";
import { ToolError } from "../../core/error.ts";
import { MAX_PENDING, PENDING_SECONDS, type PendingStates } from "../../core/tools/pending-states.ts";
import type { Keys } from "../redis/keys.ts";
import type { RedisLink, Script } from "../redis/redis-link.ts";

const KEY_BYTES = 32;

/** The key to set if there is none. Gives the key. */
const KEY: Script = {
  name: "read the key that signs request states",
  lua: `
local found = redis.call('GET', KEYS[1])
if found then return found end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
`,
};

/** An id, PENDING_SECONDS, MAX_PENDING. */
const PUT: Script = {
  name: "keep a request state",
  lua: `
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[2] + 1)
return 1
`,
};

/** An id. Gives 1 if it was pending. */
const TAKE: Script = {
  name: "take a request state",
  lua: `
local until_ = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not until_ then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
if tonumber(until_) < tonumber(redis.call('TIME')[1]) then return 0 end
return 1
`,
};

export class SharedPendingStates implements PendingStates {
  #key: { readonly text: string; readonly bytes: Uint8Array<ArrayBuffer> } | null = null;

  constructor(private readonly link: RedisLink, private readonly keys: Keys, private readonly log: Logger) {}

  /** The same object as long as the key is the same. */
  async key(): Promise<Uint8Array<ArrayBuffer>> {
    const own = this.#key?.text ?? crypto.getRandomValues(new Uint8Array(KEY_BYTES)).toBase64();
    const text = await this.#run(KEY, this.keys.signingKey, [own]);
    if (typeof text !== "string") throw new Error(`${this.keys.signingKey} on Redis is not a text`);
    if (this.#key?.text !== text) this.#key = { text, bytes: Uint8Array.fromBase64(text) };
    return this.#key.bytes;
  }

  async put(id: string, caller: string | null): Promise<void> {
    await this.#run(PUT, this.keys.pendingStates(caller), [id, String(PENDING_SECONDS), String(MAX_PENDING)]);
  }

  async take(id: string, caller: string | null): Promise<boolean> {
    return await this.#run(TAKE, this.keys.pendingStates(caller), [id]) === 1;
  }

  async #run(script: Script, key: string, args: readonly string[]): Promise<unknown> {
    try {
      return await this.link.run(script, [key], args);
    } catch (error) {
      this.log.warn("could not {what}: {error}", { what: script.name, error: (error as Error).message });
      throw new ToolError(
        "backend_unavailable",
        `Nobody can be asked now, because the answer is kept on Redis: ${(error as Error).message}. Nothing was sent.`,
        "Call again, without an answer, once Redis can be reached.",
        { cause: error },
      );
    }
  }
}
