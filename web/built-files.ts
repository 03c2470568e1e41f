// The built browser programs. scripts/compile.ts replaces this file: the executable contains the files, and no builder.

import type { BuiltFiles } from "./build.ts";

let built: Promise<BuiltFiles> | null = null;

/** Built once for a process. */
export function builtFiles(): Promise<BuiltFiles> {
  return built ??= import("./build.ts").then(({ buildWeb }) => buildWeb());
}
