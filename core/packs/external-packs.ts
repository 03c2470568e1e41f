// Packs from MKT_PLUGIN_DIR: every .ts and .js file in it, in the order of the file names, also for the compiled
// executable. A file whose name begins with `_` or `.` is no pack but belongs to one, and so does what is in a folder.
//
// A file that can't be loaded, or that others may have written (folder-faults.ts), is reported and left out. The files are
// loaded at the same time, because each may take LOAD_LIMIT_MS. Limit: code that never gives back control can't be stopped.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyEnvironment } from "../../common/environment.ts";
import type { Configuration } from "../config/configuration.ts";
import { fileErrorReason } from "../../common/file-error.ts";
import { type FolderFault, folderFaults } from "./folder-faults.ts";
import { definePack, type Pack } from "./pack.ts";
import { packApi, type PackFactory } from "./pack-api.ts";
import { packFaults, packShape } from "./pack-shape.ts";
import { PackVariables } from "./pack-variables.ts";

const LOAD_LIMIT_MS = 10_000;

/** Why a pack was not loaded. */
export interface PackFailure {
  /** Its file; or MKT_PLUGIN_DIR if that can't be read. */
  readonly source: string;
  readonly reason: string;
  /** Absent if the failure came before it was known. */
  readonly name?: string;
}

export interface ExternalPacks {
  readonly packs: readonly Pack[];
  /** Packs that could not be loaded; the other packs are offered anyway. */
  readonly failures: readonly PackFailure[];
  /** What is probably a mistake; a sentence each. */
  readonly warnings: readonly string[];
  /** The values of the packs' secret variables. */
  readonly secrets: readonly string[];
}

interface LoadOptions {
  /** Where the packs' variables come from. */
  readonly environment: AnyEnvironment;
  /** For each file. */
  readonly limitMs?: number;
}

export async function loadExternalPacks(
  directory: string,
  { environment, limitMs = LOAD_LIMIT_MS }: LoadOptions,
): Promise<ExternalPacks> {
  let names: string[];
  let faults: readonly FolderFault[];
  try {
    names = await packFiles(directory);
    faults = folderFaults(directory);
  } catch (error) {
    const reason = `MKT_PLUGIN_DIR can't be read: ${fileErrorReason(error)}`;
    return { packs: [], failures: [{ source: directory, reason }], warnings: [], secrets: [] };
  }
  const refused = faults.map(({ path, reason }): PackFailure => ({ source: path, reason }));
  // The fault of a pack concerns that pack. Every pack may import what is not one.
  const files = names.map((name) => join(directory, name));
  if (faults.some(({ path }) => !files.includes(path))) {
    return { packs: [], failures: refused, warnings: [], secrets: [] };
  }
  const loaded = await Promise.all(
    files.filter((file) => faults.every(({ path }) => path !== file))
      .map((file) => loadFile(file, environment, limitMs)),
  );
  return {
    packs: loaded.flatMap(({ pack }) => pack ?? []),
    failures: [...refused, ...loaded.flatMap(({ failure }) => failure ?? [])],
    warnings: names.length === 0 ? [`${directory} (MKT_PLUGIN_DIR) has no file of a pack`] : [],
    secrets: loaded.flatMap(({ secrets }) => secrets),
  };
}

/** A file with another ending of a script is a failure, because it would silently be no pack. */
const FILE_NAME = /^[^_.].*\.[cm]?[jt]sx?$/;

async function packFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && FILE_NAME.test(entry.name) && !/\.d\.[cm]?ts$/.test(entry.name))
    .map((entry) => entry.name)
    .sort();
}

interface LoadedFile {
  readonly pack?: Pack;
  readonly failure?: PackFailure;
  readonly secrets: readonly string[];
}

/** Never throws: whatever the file does becomes a failure. */
async function loadFile(file: string, environment: AnyEnvironment, limitMs: number): Promise<LoadedFile> {
  const variables = new PackVariables(environment);
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const seconds = limitMs / 1000;
  const timer = setTimeout(() => reject(new Error(`it was not ready within ${seconds} s and is left out`)), limitMs);
  let name: string | undefined;
  try {
    const made = withAllKinds(await Promise.race([makePack(file, variables), limit]));
    variables.check();
    name = nameOf(made);
    const checked = packShape.safeParse(made);
    if (!checked.success) throw new Error(packFaults(checked.error));
    const pack = guarded(made as Pack, variables);
    return { pack: { ...pack, origin: { file, variables: variables.declared } }, secrets: variables.secrets };
  } catch (error) {
    const reason = variables.redacted(reasonOf(error));
    return { failure: { source: file, reason, ...(name !== undefined && { name }) }, secrets: variables.secrets };
  } finally {
    clearTimeout(timer);
  }
}

async function makePack(file: string, variables: PackVariables): Promise<unknown> {
  if (!/\.(ts|js)$/.test(file)) throw new Error("the name of a pack's file ends in .ts or .js");
  const module = await import(pathToFileURL(file).href) as { default?: unknown };
  if (typeof module.default !== "function") {
    throw new Error(
      "its default export is not a function (mkt) => pack; the name of a file that is no pack begins with _",
    );
  }
  return await (module.default as PackFactory)(packApi(variables));
}

/** What definePack adds, for a pack that was made without it. */
function withAllKinds(made: unknown): unknown {
  return typeof made === "object" && made !== null && !Array.isArray(made) ? definePack(made as Pack) : made;
}

function nameOf(made: unknown): string | undefined {
  const name = (made as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === "string" ? name : undefined;
}

/** `unavailable` of an external pack may throw, which makes the pack unavailable. Its reason is shown, so without secrets. */
function guarded(pack: Pack, variables: PackVariables): Pack {
  const { unavailable } = pack;
  if (unavailable === undefined) return pack;
  return {
    ...pack,
    unavailable(configuration: Configuration) {
      try {
        const reason = unavailable(configuration);
        return reason === null ? null : variables.redacted(String(reason));
      } catch (error) {
        return variables.redacted(reasonOf(error));
      }
    },
  };
}

/** What the runtime throws for faulty source text: each with its place. */
interface BuildError {
  readonly message: string;
  readonly position?: { readonly line: number; readonly column: number } | null;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  if (typeof error === "object" && error !== null && "message" in error) {
    const { message, position } = error as BuildError;
    return position ? `line ${position.line}, column ${position.column}: ${message}` : String(message);
  }
  return `it threw ${Bun.inspect(error)}`;
}
