// A value that replicas share, and that survives a Redis which loses its data.
//
// Each change gets a version above all earlier ones: the time of Redis in microseconds, or one more than the last version. A
// change that is made only if nothing else has changed since a version gets the next one: if Redis has lost a later change,
// and a replica remembers that, the later change still takes precedence. A replica remembers the newest version that it has
// seen. If Redis then has an older one, or none, the replica writes the newer one again. So an absent value differs from a
// value that somebody has set to none: absent means that nobody has ever set it, or that Redis has lost it and no replica
// remembers.

import type { RedisLink, Script } from "../redis/redis-link.ts";

export interface Versioned {
  readonly version: number;
  /** JSON text. */
  readonly value: string;
}

/** Needs the number `version`. */
const SET = `
local text = string.format('%.0f', version)
redis.call('HSET', KEYS[1], 'version', text, 'value', ARGV[2])
return {text, ARGV[2]}
`;

/** The newest known version, the new value. */
const CHANGE: Script = {
  name: "change a register",
  lua: `
local current = tonumber(redis.call('HGET', KEYS[1], 'version') or 0)
local now = redis.call('TIME')
local version = math.max(current + 1, tonumber(ARGV[1]) + 1, now[1] * 1000000 + now[2])
${SET}`,
};

/** The version from which the change may be made, the new value. */
const CHANGE_FROM: Script = {
  name: "change a register from a version",
  lua: `
local found = redis.call('HMGET', KEYS[1], 'version', 'value')
local current = tonumber(found[1] or 0)
if found[2] == ARGV[2] or current > tonumber(ARGV[1]) then return found end
local version = tonumber(ARGV[1]) + 1
${SET}`,
};

/** A version, its value. */
const PUT_IF_NEWER: Script = {
  name: "put a register back",
  lua: `
local current = tonumber(redis.call('HGET', KEYS[1], 'version') or 0)
if current < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'version', ARGV[1], 'value', ARGV[2]) end
return redis.call('HMGET', KEYS[1], 'version', 'value')
`,
};

export class Register {
  #known: Versioned | null = null;

  constructor(private readonly link: RedisLink, readonly key: string) {}

  /** The newest version that this replica has seen; null if it has seen none. */
  get known(): Versioned | null {
    return this.#known;
  }

  /** Reads it, and writes it again if Redis has lost it. Rejects as `RedisLink.send` does. */
  async read(): Promise<void> {
    await this.learn(await this.link.send("HMGET", [this.key, "version", "value"]));
  }

  /** Takes the reply to HMGET of version and value, as `read` does. */
  async learn(reply: unknown): Promise<void> {
    const found = versionedOf(reply);
    const known = this.#known;
    if (known === null || found !== null && found.version >= known.version) {
      this.#known = found;
      return;
    }
    this.#keep(await this.link.run(PUT_IF_NEWER, [this.key], [String(known.version), known.value]));
  }

  /** Sets it, whatever it was. Returns the new version. */
  async change(value: string): Promise<Versioned> {
    return this.#keep(await this.link.run(CHANGE, [this.key], [String(this.#known?.version ?? 0), value]));
  }

  /** Sets it unless it has changed since `version`. Returns what it is now. A value that is the same stays as it is. */
  async changeFrom(version: number, value: string): Promise<Versioned> {
    return this.#keep(await this.link.run(CHANGE_FROM, [this.key], [String(version), value]));
  }

  #keep(reply: unknown): Versioned {
    const found = versionedOf(reply);
    if (found === null) throw new Error(`Redis has no register at ${this.key}, although it was just written`);
    if (this.#known === null || found.version >= this.#known.version) this.#known = found;
    return found;
  }
}

/** Null if it is absent, or was written by something else. */
function versionedOf(reply: unknown): Versioned | null {
  const [version, value] = Array.isArray(reply) ? reply as readonly unknown[] : [];
  if (typeof version !== "string" || typeof value !== "string" || !/^\d{1,16}$/.test(version)) return null;
  return { version: Number(version), value };
}
