// The keys that sign the sessions of browsers. The key of a token follows from the token alone. So a session ends when its
// token is removed or replaced, survives a restart, and holds on every server with the same tokens. Without tokens the key is
// random, and holds as long as this process.

import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { TokenStore } from "../../../common/http/token-store.ts";
import type { Access } from "../../tools/context.ts";

/** Keeps the keys apart from any other use of the token. */
const PURPOSE = "mkt session of a browser";
const KEY_BYTES = 32;

interface SessionOwner {
  /** The name of the token; null without tokens. */
  readonly caller: string | null;
  readonly access: Access;
}

export class SessionKeys {
  readonly #own = randomBytes(KEY_BYTES);
  /** Of the tokens that are valid now. */
  #derived: ReadonlyMap<string, Buffer> = new Map();

  constructor(private readonly tokens: TokenStore) {}

  /**
   * The keys that are valid now for the sessions of a token's name; null: without tokens. A name may have several tokens. An
   * agent's token has no session for control.
   */
  keysOf({ caller: name, access }: SessionOwner): readonly Buffer[] {
    if (!this.tokens.isRequired) return name === null ? [this.#own] : [];
    if (name === null) return [];
    return this.tokens.named(name).filter(({ isPerson }) => isPerson || access === "view")
      .map(({ token }) => this.#keyOfToken(token));
  }

  /** The key of a valid token. */
  keyOf(token: string): Buffer {
    return this.tokens.isRequired ? this.#keyOfToken(token) : this.#own;
  }

  #keyOfToken(token: string): Buffer {
    const known = this.#derived.get(token);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync("sha256", token, "", PURPOSE, KEY_BYTES));
    const valid = new Set(this.tokens.secrets());
    this.#derived = new Map([...[...this.#derived].filter(([each]) => valid.has(each)), [token, key]]);
    return key;
  }
}

/** As text that may stand in a cookie and in a header. */
export function signatureOf(key: Buffer, label: string, text: string): string {
  return createHmac("sha256", key).update(`${label}\n${text}`).digest("base64url");
}
