import { describe, expect, test } from "bun:test";
import { ACTING_USER_HEADER, errorResponse, PATHS, type Permission } from "../../../../protocol/index.ts";
import { builtInMarket } from "../../../../engine/definition/built-in-market.ts";
import { startTestEngine } from "../../../support/engines.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { entriesIn } from "../../backup/backup-of.ts";
import { BUYER, OPERATOR, VIEWER } from "../harness.ts";

const TOKEN = "a-token-of-this-test";

function ask(url: string, userId: string, method = "GET", token = TOKEN): Promise<Response> {
  const headers = { [ACTING_USER_HEADER]: userId, Authorization: `Bearer ${token}` };
  return fetch(`${url}${PATHS.backup}`, { method, headers });
}

async function refusal(response: Response) {
  const { error } = errorResponse.parse(await response.json());
  return { status: response.status, ...error };
}

/** The built-in market, whose operator lacks a permission. */
function withoutPermission(lacking: Permission) {
  const definition = builtInMarket();
  const users = definition.users.map((user) =>
    user.id === OPERATOR ? { ...user, permissions: user.permissions.filter((each) => each !== lacking) } : user
  );
  return { ...definition, users };
}

describe("GET /api/admin/backup", () => {
  test("gives operators a backup, and refuses everybody else", async () => {
    const { url } = await startTestEngine({ data: temporaryDirectory(), token: TOKEN });
    expect(await refusal(await ask(url, OPERATOR, "GET", "another"))).toMatchObject({ status: 401 });
    for (const userId of [BUYER, VIEWER]) {
      expect(await refusal(await ask(url, userId))).toMatchObject({
        status: 403,
        message: `user "${userId}" lacks the permission Market.Operate`,
      });
    }
    // HEAD begins no backup, which would keep others from beginning one.
    for (let count = 0; count < 2; count++) expect((await ask(url, OPERATOR, "HEAD")).status).toBe(200);
    const response = await ask(url, OPERATOR);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/zstd"]);
    const entries = await entriesIn(await response.bytes());
    expect(entries.map(({ kind }) => kind)).toEqual(["description", "header"]);
  });

  test("needs Scope.Global too", async () => {
    const { url } = await startTestEngine({
      definition: withoutPermission("Scope.Global"),
      data: temporaryDirectory(),
    });
    expect(await refusal(await ask(url, OPERATOR))).toMatchObject({ status: 403, code: "forbidden" });
  });

  test("says that an engine in memory has no backup", async () => {
    const { url } = await startTestEngine();
    expect(await refusal(await ask(url, OPERATOR))).toMatchObject({ status: 409, code: "no_data_directory" });
  });
});
