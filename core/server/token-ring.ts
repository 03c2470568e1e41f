// The tokens that open the HTTP door: MCP_BEARER_TOKEN, under the name `default`, and those of MCP_BEARER_TOKEN_FILE.
//
// The file is looked at on every request (one stat) and read again when it has changed, so that a token is let in, or no
// longer, from the next request on. A line that is not right lets nobody in and is logged; while the file can't be read at
// all, what it said before holds. Comparing takes the same time whichever token, if any, it is.

import { createHash, timingSafeEqual } from "node:crypto";
import { statSync } from "node:fs";
import { type NamedToken, readTokenFile } from "../config/token-file.ts";
import type { Logger } from "../logger.ts";

export interface TokenRingOptions {
  /** MCP_BEARER_TOKEN; null where it is not set. */
  readonly token: string | null;
  /** MCP_BEARER_TOKEN_FILE; null where it is not set. */
  readonly file: string | null;
  readonly log: Logger;
}

interface Key extends NamedToken {
  readonly digest: Uint8Array;
}

/** The name that MCP_BEARER_TOKEN has in the call log. */
export const DEFAULT_NAME = "default";

export class TokenRing {
  /** False: everyone is let in. */
  readonly isNeeded: boolean;
  readonly #own: readonly Key[];
  #fromFile: readonly Key[] = [];
  #version = "";

  constructor(private readonly options: TokenRingOptions) {
    const { token, file } = options;
    this.isNeeded = token !== null || file !== null;
    this.#own = token === null ? [] : [keyOf({ name: DEFAULT_NAME, token })];
    this.#refresh();
  }

  /** The name of the token; null where it is none of ours. */
  nameOf(token: string): string | null {
    this.#refresh();
    const digest = digestOf(token);
    let name: string | null = null;
    for (const key of [...this.#own, ...this.#fromFile]) {
      if (timingSafeEqual(digest, key.digest)) name = key.name;
    }
    return name;
  }

  /** The tokens themselves, for striking them out of a log. */
  secrets(): string[] {
    return [...this.#own, ...this.#fromFile].map(({ token }) => token);
  }

  #refresh(): void {
    const { file, log } = this.options;
    if (file === null) return;
    const version = versionOf(file);
    if (version === this.#version) return;
    this.#version = version;
    try {
      const { tokens, faults } = readTokenFile(file);
      this.#fromFile = tokens.map(keyOf);
      log.info("{file}: {count} tokens", { file, count: tokens.length });
      for (const fault of faults) log.error("MCP_BEARER_TOKEN_FILE {file}: {fault}", { file, fault });
    } catch (error) {
      log.error("MCP_BEARER_TOKEN_FILE can't be read, its tokens stay as they were: {error}", {
        error: (error as Error).message,
      });
    }
  }
}

/** Changes when the file is written, replaced, or comes and goes. */
function versionOf(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return (error as Error).message;
  }
}

function keyOf(named: NamedToken): Key {
  return { ...named, digest: digestOf(named.token) };
}

/** Of one length, whatever the token's. */
function digestOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
