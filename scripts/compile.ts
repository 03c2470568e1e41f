// Compiles main.ts to one executable.

import { mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";

export const TARGETS = [
  "bun-linux-x64",
  "bun-linux-arm64",
  "bun-darwin-x64",
  "bun-darwin-arm64",
  "bun-windows-x64",
] as const;

export type Target = (typeof TARGETS)[number];

/**
 * For this machine if no target is given. Throws if it does not compile. The file is put in place as a whole, so that
 * others may start the one before it, or build too, at the same time.
 */
export async function compile(outfile: string, target?: Target): Promise<void> {
  const suffix = `.${process.pid}`;
  await mkdir(dirname(outfile), { recursive: true });
  const { outputs } = await Bun.build({
    entrypoints: ["main.ts"],
    compile: {
      outfile: `${outfile}${suffix}`,
      ...(target ? { target } : {}),
      // A compiled mkt reads no .env of the folder it happens to start in: DOTENV_PATH names one.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    bytecode: true,
    format: "esm",
    // What is imported only when it is used is a part of its own, so that no start pays for it.
    splitting: true,
    minify: true,
  });
  // On Windows its name ends in .exe.
  const unfinished = outputs[0]?.path;
  if (unfinished === undefined) throw new Error(`${outfile} was not made`);
  await rename(unfinished, unfinished.replace(suffix, ""));
}
