import { describe, expect, test } from "bun:test";
import { type Context, Hono, type Next } from "hono";
import { withJsonErrors } from "../../../../common/http/http-app.ts";
import type { GuardedRoutes, RouteGuard } from "../../../../common/http/guards/route-guard.ts";
import { logger } from "../../../../common/logger.ts";
import type { Backups } from "../../../../engine/server/backups/backups.ts";
import { backupRoute } from "../../../../engine/server/http/backup-route.ts";
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

/** Asks the route alone, without a server, and says which idle limits the connection got. */
async function askRoute(kind: "begun" | "busy" | "in_memory", method = "GET") {
  const routes = () => withJsonErrors(new Hono<GuardedRoutes>(), logger("test"));
  const user = { id: OPERATOR, entityId: null, permissions: new Set<Permission>(["Scope.Global"]) };
  const requires = () => (context: Context<GuardedRoutes>, next: Next) => (context.set("user", user), next());
  const begin = () => ({ kind, stream: new Blob(["all"]).stream() });
  const app = backupRoute({ routes, requires } as unknown as RouteGuard, { begin } as unknown as Backups);
  const limits: number[] = [];
  const connection = { address: "::1", setIdleTimeout: (seconds: number) => void limits.push(seconds) };
  const response = await app.request(PATHS.backup, { method }, connection);
  return { status: response.status, retryAfter: response.headers.get("Retry-After"), limits };
}

describe("GET /api/admin/backup", () => {
  test("lets a client be slow for longer than the service waits for it, and only the client of a backup", async () => {
    expect(await askRoute("begun")).toEqual({ status: 200, retryAfter: null, limits: [120] });
    expect(await askRoute("begun", "HEAD")).toEqual({ status: 200, retryAfter: null, limits: [] });
    expect(await askRoute("busy")).toEqual({ status: 503, retryAfter: "10", limits: [] });
    expect(await askRoute("in_memory")).toEqual({ status: 409, retryAfter: null, limits: [] });
  });

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
