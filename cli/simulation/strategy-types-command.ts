// `mkt strategy-types`: prints the types of strategy files, so an editor finds them without anything being installed.

import type { Command } from "commander";
import { write } from "../../common/output.ts";
// @ts-expect-error: TypeScript has no imports of declarations as text; the runtime and the build have.
import types from "../../docs/examples/mkt-strategy.d.ts" with { type: "text" };

export function addStrategyTypesCommand(program: Command): void {
  program.command("strategy-types")
    .description("print the types of strategy files (--strategy), to save beside yours as mkt-strategy.d.ts")
    .action(() => write(String(types)));
}
