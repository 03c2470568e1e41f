import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TokenStore } from "../../../../common/http/token-store.ts";
import { logger } from "../../../../common/logger.ts";
import type { Connection } from "../../../../engine/server/connections/connection.ts";
import { TOKEN_CHECK_MS, watchTokens } from "../../../../engine/server/connections/token-watch.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";

const folder = temporaryDirectory();
const file = join(folder, "tokens");
const write = (token: string) => writeFileSync(file, `desk ${token.repeat(16)} *\n`, { mode: 0o600 });

beforeEach(() => {
  write("a");
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function watched(path: string | null) {
  const variables = { token: "T", file: "F" };
  const tokens = new TokenStore({ token: null, file: path, format: "names_and_users", variables, log: logger("test") });
  let checks = 0;
  const connection = { checkToken: () => void checks++ } as unknown as Connection;
  const end = watchTokens(tokens, { all: [connection, { ...connection } as Connection] });
  return { checks: () => checks, end };
}

test("each change of the token file checks every connection once, within a second", () => {
  const { checks, end } = watched(file);
  jest.advanceTimersByTime(5 * TOKEN_CHECK_MS);
  expect(checks()).toBe(0);
  write("b");
  jest.advanceTimersByTime(TOKEN_CHECK_MS - 1);
  expect(checks()).toBe(0);
  jest.advanceTimersByTime(1);
  expect(checks()).toBe(2);
  jest.advanceTimersByTime(5 * TOKEN_CHECK_MS);
  expect(checks()).toBe(2);
  write("c");
  jest.advanceTimersByTime(TOKEN_CHECK_MS);
  expect(checks()).toBe(4);
  end();
});

test("an ended watch checks nothing, and tokens that can't change are not watched", () => {
  const { checks, end } = watched(file);
  end();
  write("d");
  jest.advanceTimersByTime(5 * TOKEN_CHECK_MS);
  expect(checks()).toBe(0);
  const idle = watched(null);
  jest.advanceTimersByTime(5 * TOKEN_CHECK_MS);
  expect(idle.checks()).toBe(0);
  idle.end();
});
