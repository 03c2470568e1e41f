// Builds the browser programs: one script for each page and worker, and a style sheet for each page, minified, with everything
// that it needs inside.
// Run from source, mkt builds them when they are first asked for; scripts/compile.ts writes them into the executable.

import { join } from "node:path";

/** The entry of each program, by the name of its files. */
const ENTRIES = {
  dashboard: "dashboard/main.tsx",
  "dashboard-stream": "dashboard/live/stream-worker.ts",
  views: "views/main.tsx",
} as const;

/** Text by name, such as `dashboard.js`. */
export type BuiltFiles = Readonly<Record<string, string>>;

interface BuiltWeb {
  readonly files: BuiltFiles;
  /** The paths of the files that went into them. */
  readonly inputs: readonly string[];
}

/** Throws if a program does not build. */
export async function buildWeb(): Promise<BuiltFiles> {
  return (await buildWebWithInputs()).files;
}

/** Also says what the programs were made from, for the licences of what the executable contains. */
export async function buildWebWithInputs(): Promise<BuiltWeb> {
  const files: Record<string, string> = {};
  const inputs: string[] = [];
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const { outputs, metafile } = await Bun.build({
      entrypoints: [join(import.meta.dir, entry)],
      target: "browser",
      minify: true,
      metafile: true,
      // A package that has a build for development says so with a condition, which Bun sets by default.
      conditions: ["production"],
      define: { "process.env.NODE_ENV": '"production"' },
    });
    inputs.push(...Object.keys(metafile?.inputs ?? {}));
    for (const output of outputs) {
      files[`${name}${output.path.endsWith(".css") ? ".css" : ".js"}`] = await output.text();
    }
  }
  return { files, inputs };
}
