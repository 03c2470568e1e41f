// `mkt pack-types`: prints the types of packs, so an editor finds them without anything being installed.

import type { Command } from "commander";
import { write } from "../../common/output.ts";
// @ts-expect-error: TypeScript has no imports of declarations as text; the runtime and the build have.
import types from "../../docs/examples/mkt-pack.d.ts" with { type: "text" };

export function addPackTypesCommand(command: Command): void {
  command.command("pack-types")
    .description("print the types of packs (MKT_PLUGIN_DIR), to save beside yours as mkt-pack.d.ts")
    .action(() => write(String(types)));
}
