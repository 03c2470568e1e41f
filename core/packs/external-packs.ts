// Packs from MKT_PLUGIN_DIR: every .ts and .js file in it, in the order of the file names, also for the compiled
// executable. A file that can't be loaded is reported and left out.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { definePack, type Pack } from "./pack.ts";
import { packApi, type PackFactory } from "./pack-api.ts";

/** Why a pack was not loaded. `source` is its name or file. */
export interface PackFailure {
  readonly source: string;
  readonly reason: string;
}

const zodObject = z.custom<z.ZodObject>(
  (value) => value instanceof z.ZodObject,
  "must be a z.object, of the given zod",
);
/** Only built-in tools may be excepted from read-only mode and the kill switch. */
const noException = z.never("is for built-in tools").optional();
const externalTool = z.looseObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "must be lower case letters, digits and underscores"),
  title: z.string().min(1),
  description: z.string().min(1),
  input: zodObject,
  output: zodObject,
  annotations: z.object({
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  }),
  handler: z.custom((value) => typeof value === "function", "must be a function"),
  allowedInReadOnly: noException,
  allowedWhenFrozen: noException,
});
const externalPack = z.looseObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, "must be lower case letters, digits and dashes"),
  description: z.string().min(1),
  tools: z.array(externalTool).optional(),
  advice: z.never("is for built-in packs").optional(),
});

export async function loadExternalPacks(directory: string): Promise<{ packs: Pack[]; failures: PackFailure[] }> {
  const packs: Pack[] = [];
  const failures: PackFailure[] = [];
  let names: string[];
  try {
    names = (await readdir(directory)).filter((name) => /\.(ts|js)$/.test(name) && !name.endsWith(".d.ts")).sort();
  } catch (error) {
    return { packs, failures: [{ source: directory, reason: `MKT_PLUGIN_DIR can't be read: ${messageOf(error)}` }] };
  }
  for (const name of names) {
    const path = join(directory, name);
    try {
      packs.push(await loadPack(path));
    } catch (error) {
      failures.push({ source: path, reason: messageOf(error) });
    }
  }
  return { packs, failures };
}

async function loadPack(path: string): Promise<Pack> {
  const module = await import(pathToFileURL(path).href) as { default?: unknown };
  if (typeof module.default !== "function") throw new Error("its default export is not a function (mkt) => pack");
  const pack = await (module.default as PackFactory)(packApi);
  const checked = externalPack.safeParse(pack);
  if (checked.success) return definePack(pack);
  throw new Error(
    checked.error.issues.map((issue) => `${issue.path.join(".") || "pack"}: ${issue.message}`).join("; "),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
