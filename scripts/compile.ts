// Compiles main.ts to one executable, and says which packages it contains.
//
// The same sources, packages and version of Bun give the same bytes, whatever the name of the executable.

import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type BunPlugin, gzipSync } from "bun";
import { licenseText } from "../packaging/contents/license-text.ts";
import { type BundledPackage, packageListOf, packagesOf } from "../packaging/contents/packages.ts";
import { vendoredIn } from "../packaging/contents/vendored.ts";
import { PROGRAM_NAME } from "../packaging/identity.ts";
import { adHocSigned } from "../packaging/macos/ad-hoc-signature.ts";
import type { Target } from "../packaging/platforms.ts";
import { PROGRAM } from "../cli/program.ts";
import { buildWebWithInputs, type BuiltFiles } from "../web/build.ts";
import { startTable } from "./start-table.ts";

/** The programs of threads, which are loaded by their paths (common/thread-url.ts). */
const THREADS = [
  "arena/openenv/environment-thread.ts",
  "engine/audit/audit-thread.ts",
  "engine/server/backups/backup-thread.ts",
  "engine/server/checkpoints/checkpoint-thread.ts",
] as const;

/**
 * Compiles for this machine if no target is given, and returns the packages that went in. Throws if it does not compile. A
 * rename puts the finished file in place, so other processes may start the previous one, or build too, at the same time.
 */
export async function compile(outfile: string, target?: Target): Promise<BundledPackage[]> {
  // The executable contains the name under which it was built, so that name is always the same.
  const folder = join(dirname(outfile), `.build-${basename(outfile)}-${process.pid}`);
  await mkdir(folder, { recursive: true });
  const web = await buildWebWithInputs();
  try {
    const { outputs, metafile } = await Bun.build({
      entrypoints: ["main.ts", ...THREADS],
      compile: {
        outfile: join(folder, PROGRAM_NAME),
        ...(target ? { target } : {}),
        // A compiled mkt must not read a .env file in its working directory: DOTENV_PATH names the file.
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
      bytecode: true,
      format: "esm",
      // Puts dynamic imports into chunks of their own, which are loaded only when used: faster start.
      splitting: true,
      plugins: [builtWeb(web.files), builtLicenses(web.inputs)],
      minify: true,
      metafile: true,
      define: { BUILT_IN_START_TABLE: JSON.stringify(await startTable(PROGRAM)) },
    });
    // Bun adds .exe to the name for Windows.
    const built = outputs[0]?.path;
    if (built === undefined) throw new Error(`${outfile} was not built`);
    if (target?.startsWith("bun-darwin")) {
      // Written over the file, which keeps its mode.
      await Bun.write(built, adHocSigned(await Bun.file(built).bytes(), PROGRAM_NAME));
    }
    const packages = contentsOf([...Object.keys(metafile?.inputs ?? {}), ...web.inputs]);
    const list = join(folder, "packages.json");
    await Bun.write(list, JSON.stringify(packages, null, 2));
    await rename(list, packageListOf(outfile));
    await rename(built, outfile);
    return packages;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The packages of these files, and those whose code they contain. */
function contentsOf(files: Iterable<string>): BundledPackage[] {
  const all = [...files];
  return [...packagesOf(all), ...vendoredIn(all)];
}

/** Replaces web/built-files.ts: the browser programs, compressed. */
function builtWeb(built: BuiltFiles): BunPlugin {
  const files = Object.entries(built).map(([name, text]) => [name, compressed(text)]);
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

/**
 * Replaces packaging/contents/built-in-licenses.ts when all other files are read. A package whose code is left out in the
 * end is named, too, if it has a licence; without one it would fail a test if it were in the executable.
 */
function builtLicenses(webInputs: readonly string[]): BunPlugin {
  const read = new Set(webInputs);
  return {
    name: "built-licenses",
    setup(build) {
      build.onLoad({ filter: /[/\\]node_modules[/\\]/ }, ({ path }) => {
        read.add(path);
        // Bun then reads the file itself.
        return undefined;
      });
      build.onLoad({ filter: /[/\\]packaging[/\\]contents[/\\]built-in-licenses\.ts$/ }, async ({ defer }) => {
        await defer();
        const named = contentsOf(read).filter(({ license }) => license !== "");
        const contents = `
          import { gunzipSync } from "bun";
          export function builtInLicenses() {
            return new TextDecoder().decode(gunzipSync(Buffer.from("${compressed(licenseText(named))}", "base64")));
          }`;
        return { contents, loader: "js" };
      });
    },
  };
}

function compressed(text: string): string {
  return Buffer.from(gzipSync(text, { level: 9 })).toString("base64");
}
