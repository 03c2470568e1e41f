// How a simulator reaches its engine; the same for every connection that it makes.

import type { EngineConnectionOptions } from "./engine-connection.ts";

export type EngineAccess = Pick<EngineConnectionOptions, "url" | "token" | "reader" | "now" | "log">;
