// GET /api/admin/backup: a backup of the whole market as a stream, for operators who may see everything (docs/backup.md).

import type { Hono } from "hono";
import { PATHS } from "../../../protocol/index.ts";
import { BACKUP_CONTENT_TYPE } from "../../backup/backup-format.ts";
import type { Backups } from "../backups/backups.ts";
import { Refusal } from "../../../common/http/guards/route-refusal.ts";
import type { GuardedRoutes, RouteGuard } from "../../../common/http/guards/route-guard.ts";

/** The service notices a client that takes nothing sooner than this, and says so in the stream. */
const IDLE_SECONDS = 120;
const RETRY_SECONDS = "10";

export function backupRoute(guard: RouteGuard, backups: Backups): Hono<GuardedRoutes> {
  const app = guard.routes();
  app.get(PATHS.backup, guard.requires("Market.Operate"), (context) => {
    const { id, permissions } = context.get("user");
    if (!permissions.has("Scope.Global")) {
      throw new Refusal(403, "forbidden", `user "${id}" lacks the permission Scope.Global`);
    }
    const headers = { "Content-Type": BACKUP_CONTENT_TYPE, "Cache-Control": "no-store" };
    // Hono calls this for HEAD too, and nobody would read the stream.
    if (context.req.raw.method === "HEAD") return new Response(null, { headers });
    const begun = backups.begin(id);
    switch (begun.kind) {
      case "begun":
        context.env.setIdleTimeout?.(IDLE_SECONDS);
        return new Response(begun.stream, { headers });
      case "busy":
        throw new Refusal(503, "backup_running", "another backup is under way; try again later", {
          "Retry-After": RETRY_SECONDS,
        });
      case "in_memory":
        throw new Refusal(
          409,
          "no_data_directory",
          "the engine keeps its market in memory only: start it with --data DIR",
        );
    }
  });
  return app;
}
