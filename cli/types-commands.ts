// `mkt pack-types` and `mkt strategy-types`: print the types of packs and of strategy files, so an editor finds them without
// anything being installed.

import type { Command } from "commander";
import { write } from "../common/output.ts";
// @ts-expect-error: TypeScript has no imports of declarations as text; the runtime and the build have.
import packTypes from "../docs/examples/mkt-pack.d.ts" with { type: "text" };
// @ts-expect-error: as above.
import strategyTypes from "../docs/examples/mkt-strategy.d.ts" with { type: "text" };

export function addPackTypesCommand(program: Command): void {
  program.command("pack-types")
    .description("print the types of packs (MKT_PLUGIN_DIR), to save beside yours as mkt-pack.d.ts")
    .action(() => write(String(packTypes)));
}

export function addStrategyTypesCommand(program: Command): void {
  program.command("strategy-types")
    .description("print the types of strategy files (--strategy), to save beside yours as mkt-strategy.d.ts")
    .action(() => write(String(strategyTypes)));
}
