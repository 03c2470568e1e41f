// The path of a state message: `/TYPE/id`. The id is everything after the second slash, unescaped.

import { isModuleType, type ModuleType } from "./modules/registry.ts";

interface StatePath {
  readonly type: ModuleType;
  readonly id: string;
}

/** Null if the text is not such a path, or the module type is unknown. */
export function parseStatePath(path: string): StatePath | null {
  const slash = path.indexOf("/", 1);
  if (path[0] !== "/" || slash < 0) return null;
  const type = path.slice(1, slash);
  const id = path.slice(slash + 1);
  return isModuleType(type) && id !== "" ? { type, id } : null;
}
