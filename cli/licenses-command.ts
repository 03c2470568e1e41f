// `mkt licenses`: the licences of mkt and of everything that the executable contains.

import type { Command } from "commander";
import { UsageError } from "../common/command-line.ts";
import { write } from "../common/output.ts";

export function addLicensesCommand(program: Command): void {
  program.command("licenses")
    .description("the licences of mkt and of everything that this executable contains")
    .action(async () => {
      const { builtInLicenses } = await import("../packaging/contents/built-in-licenses.ts");
      const text = builtInLicenses();
      if (text === null) {
        throw new UsageError("only an executable knows what it contains: run bun run build, then dist/mkt licenses");
      }
      await write(text);
    });
}
