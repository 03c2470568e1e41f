// Loads what a client on stdio needs, and nothing else, and serves the client that core/start/ has begun to answer.

import { exitStatusOf } from "../common/exit-status.ts";
import { configuredRuntime } from "./configured.ts";
import { serve } from "./server/serve.ts";
import { ENVIRONMENT } from "../core/config/env-file.ts";
import type { StartedClient } from "../core/start/start-on-stdio.ts";
import { PROGRAM } from "./program.ts";

/** Returns the exit status. */
export function serveStartedClient(started: StartedClient): Promise<number> {
  return exitStatusOf(async () => serve(await configuredRuntime(PROGRAM, ENVIRONMENT), { started }));
}
