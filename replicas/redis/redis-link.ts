// The connection to Redis as the rest of this folder uses it. bun-redis-link.ts implements it.

/** A script that Redis runs as one step: nothing else runs between its commands. */
export interface Script {
  /** For error messages. */
  readonly name: string;
  readonly lua: string;
}

/** Redis did not confirm a command: it can't be reached, or did not answer in time. The command may still have run. */
export class RedisUnavailable extends Error {}

export interface RedisLink {
  /** Whether commands can be sent now. */
  readonly isUp: boolean;
  /** Sends a command. Rejects with RedisUnavailable, and with an Error if Redis refuses the command. */
  send(command: string, args: readonly string[]): Promise<unknown>;
  /** Runs a script by its digest, and loads it if Redis does not know it. Rejects as `send` does. */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Calls `listener` whenever the connection is there, also if it already is. The result ends that. */
  onUp(listener: () => void): () => void;
}
