// The tokens that a server accepts: one from a variable, with the name `default`, and those of a file. Only a line of a file
// can say that a person holds its token.
//
// Every request checks the file with one stat and reads it again if it has changed, so a change takes effect from the next
// request on. An invalid line is logged and grants no access. While the file can't be read, its previous tokens stay valid.
// Comparing takes the same time for every token, valid or not.

import { timingSafeEqual } from "node:crypto";
import { statSync } from "node:fs";
import { errorMessage } from "../error-message.ts";
import type { Logger } from "../logger.ts";
import { MIN_TOKEN_LENGTH, type NamedToken, readTokenFile, type TokenFileFormat } from "./token-file.ts";

export interface TokenStoreOptions {
  /** May act as every user; null: none. */
  readonly token: string | null;
  /** Path of the token file; null: none. */
  readonly file: string | null;
  readonly format?: TokenFileFormat;
  /** Further tokens by name, which exist only in this process. They may act as every user. */
  readonly own?: Readonly<Record<string, string>>;
  /** The variables that hold the token and name the file, for the log. */
  readonly variables: { readonly token: string; readonly file: string };
  readonly log: Logger;
}

/** The sender of a request. */
export interface TokenHolder {
  /** Null if no token is required. */
  readonly name: string | null;
  /** The users that the token may act as; null: every user. */
  readonly userIds: readonly string[] | null;
  /** False for an agent's token. True if no token is required, because nobody can be told apart then. */
  readonly isPerson: boolean;
}

interface Key extends NamedToken {
  readonly digest: Uint8Array;
}

/** Of SHA-256. All digests have this length, as timingSafeEqual requires. */
const DIGEST_BYTES = 32;
/** The name of the token from the variable. */
const DEFAULT_NAME = "default";
const ANYBODY: TokenHolder = { name: null, userIds: null, isPerson: true };

export class TokenStore {
  /** False: every request is accepted. */
  readonly isRequired: boolean;
  readonly #own: readonly Key[];
  #all: readonly Key[] = [];
  #secrets: readonly string[] = [];
  /** Reused, because every request is hashed. */
  readonly #presented = new Uint8Array(DIGEST_BYTES);
  #version = "";
  #changes = 0;
  #clients = 0;

  constructor(private readonly options: TokenStoreOptions) {
    const { token, file, own = {} } = options;
    this.isRequired = token !== null || file !== null;
    const named = [...(token === null ? [] : [[DEFAULT_NAME, token] as const]), ...Object.entries(own)];
    const warning = shortTokenWarning(token, options.variables.token);
    if (warning !== null) options.log.warn(warning);
    this.#own = named.map(([name, token]) => keyOf({ name, token, userIds: null, isPerson: false }));
    this.#accept(this.#own);
    this.#refresh();
  }

  /** The holder of the token; null if a token is required and this one is not valid. */
  identify(token: string | null | undefined): TokenHolder | null {
    if (!this.isRequired) return ANYBODY;
    this.#refresh();
    Bun.SHA256.hash(token ?? "", this.#presented);
    let holder: Key | null = null;
    for (const key of this.#all) {
      if (timingSafeEqual(this.#presented, key.digest)) holder = key;
    }
    return holder;
  }

  /** The tokens that are valid now under a name. */
  named(name: string): readonly NamedToken[] {
    this.#refresh();
    return this.#all.filter((key) => key.name === name);
  }

  /** The number of distinct token names, without those of this process itself, as of the last check of the file. */
  get clients(): number {
    return this.#clients;
  }

  /** Whether the accepted tokens can change. */
  get canChange(): boolean {
    return this.options.file !== null;
  }

  /** How often the file has been read. After a change, an accepted token may no longer be valid. */
  changes(): number {
    this.#refresh();
    return this.#changes;
  }

  /** The tokens themselves, for redacting them in a log. The same array until they change. */
  secrets(): readonly string[] {
    return this.#secrets;
  }

  #accept(keys: readonly Key[]): void {
    const { own = {} } = this.options;
    this.#all = keys;
    this.#secrets = keys.map(({ token }) => token);
    this.#clients = new Set(keys.map(({ name }) => name).filter((name) => !Object.hasOwn(own, name))).size;
  }

  #refresh(): void {
    const { file, format, variables: { file: variable }, log } = this.options;
    if (file === null) return;
    const version = versionOf(file);
    if (version === this.#version) return;
    this.#version = version;
    try {
      const { tokens, faults, warnings } = readTokenFile(file, format);
      this.#accept([...this.#own, ...tokens.map(keyOf)]);
      this.#changes++;
      log.info("{file}: {count} tokens", { file, count: tokens.length });
      for (const fault of faults) log.error("{variable} {file}: {fault}", { variable, file, fault });
      for (const warning of warnings) log.warn("{variable}: {warning}", { variable, warning });
    } catch (error) {
      log.error("{variable} can't be read, its previous tokens stay valid: {error}", {
        variable,
        error: errorMessage(error),
      });
    }
  }
}

/** Whether the holder of a token may act as a user. */
export function mayActAs({ userIds }: TokenHolder, userId: string): boolean {
  return userIds === null || userIds.includes(userId);
}

/** Null if there is no token, or if it is long enough. A short token in a variable is only warned about. */
export function shortTokenWarning(token: string | null, variable: string): string | null {
  if (token === null || token.length >= MIN_TOKEN_LENGTH) return null;
  return `${variable} has fewer than ${MIN_TOKEN_LENGTH} characters and can be guessed: openssl rand -base64 32 makes one`;
}

/** Changes whenever the file is written, replaced, created or removed. */
function versionOf(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return errorMessage(error);
  }
}

function keyOf(named: NamedToken): Key {
  const digest = new Uint8Array(DIGEST_BYTES);
  Bun.SHA256.hash(named.token, digest);
  return { ...named, digest };
}
