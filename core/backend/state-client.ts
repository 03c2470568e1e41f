// Entities and users as the backend has them now, over HTTP. It holds no state and needs no connect step.

import type { ModuleData } from "../../protocol/modules/registry.ts";

export interface StateClient {
  /** Throws ToolError: `backend_unavailable`, `backend_error`, `forbidden`. */
  entities(signal?: AbortSignal): Promise<ModuleData<"ENTITY">[]>;
  users(signal?: AbortSignal): Promise<ModuleData<"USER">[]>;
  /** The engine's id. Throws as above if the engine is not healthy. */
  health(signal?: AbortSignal): Promise<{ engineId: string }>;
}
