import { beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mayActAs, shortTokenWarning, TokenStore, type TokenStoreOptions } from "../../../common/http/token-store.ts";
import { logger } from "../../../common/logger.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const FOLDER = temporaryDirectory();
const FILE = join(FOLDER, "tokens");
const [ONE, TWO, THREE] = ["token-number-one--", "token-number-two--", "token-number-three"];
const VARIABLES = { token: "MCP_BEARER_TOKEN", file: "MCP_BEARER_TOKEN_FILE" };

beforeEach(() => {
  rmSync(FILE, { recursive: true, force: true });
  writeFileSync(FILE, `desk ${ONE}\n`, { mode: 0o600 });
});

const storeOf = (token: string | null, file: string | null = FILE, more: Partial<TokenStoreOptions> = {}) =>
  new TokenStore({ token, file, variables: VARIABLES, log: logger("test"), ...more });
/** Whose the first two tokens are. */
const namesIn = (tokens: TokenStore) => [ONE, TWO].map((token) => nameOf(tokens, token));
const nameOf = (tokens: TokenStore, token: string | null) => tokens.identify(token)?.name ?? null;

describe("the accepted tokens", () => {
  test("are those of the file and MCP_BEARER_TOKEN, each with its name", () => {
    writeFileSync(FILE, `desk ${ONE}\nrobot ${TWO}\n`);
    const tokens = storeOf(THREE);
    expect([ONE, TWO, THREE, `${ONE}x`, ONE.slice(1), "", null].map((token) => nameOf(tokens, token)))
      .toEqual(["desk", "robot", "default", null, null, null, null]);
    expect(tokens.isRequired).toBe(true);
  });

  test("are none, and every request is accepted, if neither is set", () => {
    const tokens = storeOf(null, null);
    expect(tokens).toMatchObject({ isRequired: false, canChange: false });
    for (const token of [undefined, null, "", ONE]) {
      expect(tokens.identify(token)).toEqual({ name: null, userIds: null, isPerson: true });
    }
  });

  test("are agents', unless their line says that a person holds them", () => {
    writeFileSync(FILE, `desk ${ONE} person\nrobot ${TWO}\n`);
    const tokens = storeOf(THREE);
    expect([ONE, TWO, THREE].map((token) => tokens.identify(token)?.isPerson)).toEqual([true, false, false]);
    writeFileSync(FILE, `desk ${ONE} agent\n`);
    expect(tokens.identify(ONE)?.isPerson).toBe(false);
  });

  test("include the process's own, which alone do not make a token required", () => {
    const tokens = storeOf(null, FILE, { own: { inner: TWO } });
    expect(namesIn(tokens)).toEqual(["desk", "inner"]);
    expect(storeOf(null, null, { own: { inner: TWO } }).isRequired).toBe(false);
    expect(storeOf(THREE, null).canChange).toBe(false);
  });

  test("may act as the users of their line, or as every user if from a variable", () => {
    writeFileSync(FILE, `desk ${ONE} anna,bert\nrobot ${TWO} *\n`);
    const tokens = storeOf(THREE, FILE, { format: "names_and_users" });
    const covered = (token: string) => {
      const holder = tokens.identify(token) ?? expect.unreachable();
      return ["anna", "bert", "carl", "ann", "*"].filter((userId) => mayActAs(holder, userId));
    };
    expect(covered(ONE)).toEqual(["anna", "bert"]);
    for (const token of [TWO, THREE]) expect(covered(token)).toEqual(["anna", "bert", "carl", "ann", "*"]);
  });

  test("belong to as many clients as there are names, without the process itself", () => {
    expect(storeOf(null, null).clients).toBe(0);
    expect(storeOf(THREE, null).clients).toBe(1);
    const tokens = storeOf(THREE, FILE, { own: { inner: "token-of-the-process" } });
    expect(tokens.clients).toBe(2);
    writeFileSync(FILE, `desk ${ONE}\ndesk ${TWO}\nrobot ${TWO}x\n`);
    tokens.identify(ONE);
    expect(tokens.clients).toBe(3);
  });

  test("are listed for redaction", () => {
    expect(storeOf(THREE, FILE, { own: { inner: TWO } }).secrets()).toEqual([THREE, TWO, ONE]);
  });
});

describe("a token file that changes", () => {
  test("takes effect from the next request on: the new token is accepted, then the old one refused", () => {
    const tokens = storeOf(null);
    expect(tokens.canChange).toBe(true);
    const before = tokens.changes();
    writeFileSync(FILE, `desk ${ONE}\ndesk ${TWO}\n`);
    expect(namesIn(tokens)).toEqual(["desk", "desk"]);
    writeFileSync(FILE, `desk ${TWO}\n`);
    expect(namesIn(tokens)).toEqual([null, "desk"]);
    expect(tokens.changes()).toBe(before + 2);
    expect(tokens.changes()).toBe(before + 2);
  });

  test("of the same length takes effect in each answer: who holds a token, whose tokens there are, how many changes", () => {
    const tokens = storeOf(null);
    const before = tokens.changes();
    const write = (seconds: number, text: string) => {
      writeFileSync(FILE, text);
      utimesSync(FILE, seconds, seconds);
    };
    write(1, `desk ${TWO}\n`);
    expect(tokens.named("desk").map(({ token }) => token)).toEqual([TWO]);
    write(2, `mine ${ONE}\n`);
    expect(tokens.changes()).toBe(before + 2);
    expect([tokens.named("desk"), tokens.named("mine").length]).toEqual([[], 1]);
    write(3, `mine ${TWO}\n`);
    expect(namesIn(tokens)).toEqual([null, "mine"]);
  });

  test("takes effect if it is replaced by another file", () => {
    const tokens = storeOf(null);
    writeFileSync(`${FILE}.new`, `desk ${TWO}\n`);
    renameSync(`${FILE}.new`, FILE);
    expect(namesIn(tokens)).toEqual([null, "desk"]);
  });

  test("keeps its tokens while it is missing or not a file, and takes effect when it is back", () => {
    const tokens = storeOf(null);
    rmSync(FILE);
    expect(nameOf(tokens, ONE)).toBe("desk");
    mkdirSync(FILE);
    expect(nameOf(tokens, ONE)).toBe("desk");
    rmSync(FILE, { recursive: true });
    writeFileSync(FILE, `desk ${TWO}\n`);
    expect(namesIn(tokens)).toEqual([null, "desk"]);
  });

  test("grants no access by an invalid line, nor when it is emptied", () => {
    const tokens = storeOf(null);
    writeFileSync(FILE, `desk ${ONE} extra\nrobot ${TWO}\n`);
    expect(namesIn(tokens)).toEqual([null, "robot"]);
    writeFileSync(FILE, "");
    expect([tokens.isRequired, nameOf(tokens, ONE), nameOf(tokens, ""), nameOf(tokens, null)])
      .toEqual([true, null, null, null]);
  });
});

test("a token of fewer than 16 characters in a variable gives a warning and is accepted", () => {
  expect(shortTokenWarning("x".repeat(15), "MCP_BEARER_TOKEN")).toContain("MCP_BEARER_TOKEN has fewer than 16");
  expect(shortTokenWarning("x".repeat(16), "MCP_BEARER_TOKEN")).toBeNull();
  expect(shortTokenWarning(null, "MCP_BEARER_TOKEN")).toBeNull();
  expect(nameOf(storeOf("short", null), "short")).toBe("default");
});

test("what a file and a variable have wrong is logged, and a token never is", () => {
  const logged: unknown[] = [];
  const note = (level: string) => (text: string, facts: Record<string, unknown> = {}) =>
    void logged.push([level, text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(facts[name]))]);
  const log = { info: note("info"), warn: note("warn"), error: note("error") } as never;
  writeFileSync(FILE, `desk ${ONE}\nbad\n`);
  chmodSync(FILE, 0o644);
  const store = storeOf("short", FILE, { log });
  const faulty = `MCP_BEARER_TOKEN_FILE ${FILE}: line 2: must be a name and a token, and may end with person or agent`;
  expect(logged).toEqual([
    ["warn", expect.stringMatching(/^MCP_BEARER_TOKEN has fewer than 16 /)],
    ["info", `${FILE}: 1 tokens`],
    ["error", faulty],
    ["warn", expect.stringMatching(/^MCP_BEARER_TOKEN_FILE: .*0644/)],
  ]);
  logged.length = 0;
  store.identify(ONE);
  expect(logged).toEqual([]);
  rmSync(FILE);
  for (let count = 0; count < 3; count++) store.identify(ONE);
  expect(logged).toEqual([
    ["error", expect.stringMatching(/^MCP_BEARER_TOKEN_FILE can't be read, its previous tokens stay valid: /)],
  ]);
});
