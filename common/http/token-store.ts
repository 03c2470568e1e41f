// The tokens that a server lets in: one from a variable, under the name `default`, and those of a file.
//
// The file is looked at on every request (one stat) and read again when it has changed, so that a token is let in, or no
// longer, from the next request on. A line that is not right lets nobody in and is logged; while the file can't be read at
// all, what it said before holds. Comparing takes the same time whichever token, if any, it is.

import { createHash, timingSafeEqual } from "node:crypto";
import { statSync } from "node:fs";
import type { Logger } from "../logger.ts";
import { type NamedToken, readTokenFile, SHORTEST_TOKEN, type TokenFileFormat } from "./token-file.ts";

export interface TokenStoreOptions {
  /** Null: there is none. It may act as every user. */
  readonly token: string | null;
  /** Null: there is none. */
  readonly file: string | null;
  readonly format?: TokenFileFormat;
  /** Further tokens of this process, by name, that are written nowhere; they may act as every user. */
  readonly own?: Readonly<Record<string, string>>;
  /** The variables that hold the token and name the file, for the log. */
  readonly variables: { readonly token: string; readonly file: string };
  readonly log: Logger;
}

/** Who sent a request. */
export interface TokenHolder {
  /** Null if no token is needed. */
  readonly name: string | null;
  /** The users it may act as; null: every user. */
  readonly userIds: readonly string[] | null;
}

interface Key extends NamedToken {
  readonly digest: Uint8Array;
}

/** The name of a token that is not from a file. */
export const DEFAULT_NAME = "default";
const ANYBODY: TokenHolder = { name: null, userIds: null };

export class TokenStore {
  /** False: everyone is let in. */
  readonly isNeeded: boolean;
  readonly #own: readonly Key[];
  #fromFile: readonly Key[] = [];
  #version = "";
  #changes = 0;
  #clients: number;

  constructor(private readonly options: TokenStoreOptions) {
    const { token, file, own = {} } = options;
    this.isNeeded = token !== null || file !== null;
    const named = [...(token === null ? [] : [[DEFAULT_NAME, token] as const]), ...Object.entries(own)];
    const warning = shortTokenWarning(token, options.variables.token);
    if (warning !== null) options.log.warn(warning);
    this.#own = named.map(([name, token]) => keyOf({ name, token, userIds: null }));
    this.#clients = this.#countClients();
    this.#refresh();
  }

  /** Whose token it is; null if it is none of ours and one is needed. */
  identify(token: string | null | undefined): TokenHolder | null {
    if (!this.isNeeded) return ANYBODY;
    this.#refresh();
    const digest = digestOf(token ?? "");
    let holder: Key | null = null;
    for (const key of [...this.#own, ...this.#fromFile]) {
      if (timingSafeEqual(digest, key.digest)) holder = key;
    }
    return holder;
  }

  /** How many clients there are by name, apart from this process itself, as of the last look at the file. */
  get clients(): number {
    return this.#clients;
  }

  /** Whether what it lets in can change. */
  get canChange(): boolean {
    return this.options.file !== null;
  }

  /** How often the file has been read; a token that was let in before the last change may not be any more. */
  changes(): number {
    this.#refresh();
    return this.#changes;
  }

  /** The tokens themselves, for striking them out of a log. */
  secrets(): string[] {
    return [...this.#own, ...this.#fromFile].map(({ token }) => token);
  }

  #countClients(): number {
    const { own = {} } = this.options;
    const names = [...this.#own, ...this.#fromFile].map(({ name }) => name).filter((name) => !Object.hasOwn(own, name));
    return new Set(names).size;
  }

  #refresh(): void {
    const { file, format, variables: { file: variable }, log } = this.options;
    if (file === null) return;
    const version = versionOf(file);
    if (version === this.#version) return;
    this.#version = version;
    try {
      const { tokens, faults, warnings } = readTokenFile(file, format);
      this.#fromFile = tokens.map(keyOf);
      this.#clients = this.#countClients();
      this.#changes++;
      log.info("{file}: {count} tokens", { file, count: tokens.length });
      for (const fault of faults) log.error("{variable} {file}: {fault}", { variable, file, fault });
      for (const warning of warnings) log.warn("{variable}: {warning}", { variable, warning });
    } catch (error) {
      log.error("{variable} can't be read, its tokens stay as they were: {error}", {
        variable,
        error: (error as Error).message,
      });
    }
  }
}

/** Whether whoever brought a token may act as a user. */
export function mayActAs({ userIds }: TokenHolder, userId: string): boolean {
  return userIds === null || userIds.includes(userId);
}

/** Null if there is no token, or if it is long enough. A variable's token is let in however short it is. */
export function shortTokenWarning(token: string | null, variable: string): string | null {
  if (token === null || token.length >= SHORTEST_TOKEN) return null;
  return `${variable} has fewer than ${SHORTEST_TOKEN} characters and can be guessed: openssl rand -base64 32 makes one`;
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
