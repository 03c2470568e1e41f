// Compiles main.ts to one executable.

import { mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { type BunPlugin, gzipSync } from "bun";
import type { Target } from "../packaging/platforms.ts";
import { PROGRAM } from "../program.ts";
import { buildWeb } from "../web/build.ts";
import { startTable } from "./start-table.ts";

/** The programs of threads, which are loaded by their paths (common/thread-url.ts). */
const THREADS = ["sim/audit/audit-thread.ts", "sim/server/checkpoints/checkpoint-thread.ts"] as const;

/**
 * Compiles for this machine if no target is given. Throws if it does not compile. A rename puts the finished file in place,
 * so other processes may start the previous one, or build too, at the same time.
 */
export async function compile(outfile: string, target?: Target): Promise<void> {
  const suffix = `.${process.pid}`;
  await mkdir(dirname(outfile), { recursive: true });
  const { outputs } = await Bun.build({
    entrypoints: ["main.ts", ...THREADS],
    compile: {
      outfile: `${outfile}${suffix}`,
      ...(target ? { target } : {}),
      // A compiled mkt must not read a .env file in its working directory: DOTENV_PATH names the file.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    bytecode: true,
    format: "esm",
    // Puts dynamic imports into chunks of their own, which are loaded only when used: faster start.
    splitting: true,
    plugins: [await builtWeb()],
    minify: true,
    define: { BUILT_IN_START_TABLE: JSON.stringify(await startTable(PROGRAM)) },
  });
  // Bun adds .exe to the name for Windows.
  const unfinished = outputs[0]?.path;
  if (unfinished === undefined) throw new Error(`${outfile} was not built`);
  await rename(unfinished, unfinished.replace(suffix, ""));
}

/** Replaces web/built-files.ts: the browser programs, compressed. */
async function builtWeb(): Promise<BunPlugin> {
  const files = Object.entries(await buildWeb())
    .map(([name, text]) => [name, Buffer.from(gzipSync(text, { level: 9 })).toString("base64")]);
  const contents = `
    import { gunzipSync } from "bun";
    const FILES = ${JSON.stringify(Object.fromEntries(files))};
    const text = (packed) => new TextDecoder().decode(gunzipSync(Buffer.from(packed, "base64")));
    let built = null;
    export async function builtFiles() {
      return built ??= Object.fromEntries(Object.entries(FILES).map(([name, packed]) => [name, text(packed)]));
    }`;
  return {
    name: "built-web",
    setup(build) {
      build.onLoad({ filter: /[/\\]web[/\\]built-files\.ts$/ }, () => ({ contents, loader: "js" }));
    },
  };
}
