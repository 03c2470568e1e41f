// Files of packs in a folder of their own, loaded as from MKT_PLUGIN_DIR.

import { join } from "node:path";
import { loadPacks } from "../../../../core/packs/pack-loader.ts";
import { loadExternalPacks } from "../../../../core/packs/external-packs.ts";
import type { Pack } from "../../../../core/packs/pack.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { configurationFor } from "../../support/services.ts";

/** Writes the files into a new folder, and returns its path. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) await Bun.write(join(directory, name), text);
  return directory;
}

/** The source of a pack. `parts` is the text of its properties besides name and description. */
export function packNamed(name: string, parts: string, before = ""): string {
  return `export default (mkt) => { ${before}
    return mkt.definePack({ name: "${name}", description: "a pack of one's own", ${parts} }); };`;
}

/** The texts of declarations. `parts` overrides or adds properties. */
export const toolText = (name: string, parts = "") =>
  `mkt.defineTool({ name: "${name}", title: "Greet", description: "Greets", annotations: mkt.READ_ONLY,
    input: mkt.z.strictObject({}), output: mkt.z.looseObject({ greeting: mkt.z.string() }),
    handler: async () => ({ greeting: "hello" }), ${parts} })`;
export const resourceText = (uri: string, parts = "") =>
  `mkt.defineResource({ name: "${uri.replace(/\W+/g, "-")}", uri: "${uri}", title: "t", description: "d",
    read: () => ({}), ${parts} })`;
export const promptText = (name: string, parts = "") =>
  `mkt.definePrompt({ name: "${name}", title: "t", description: "d", messages: () => "Say hello.", ${parts} })`;
export const routeText = (path: string, parts = "") =>
  `mkt.defineRoute({ method: "GET", path: "${path}", description: "d", readOnlyHint: true,
    handler: () => new Response("hello"), ${parts} })`;

/** The texts of kinds. */
export const tools = (...names: readonly string[]) => `tools: [${names.map((name) => toolText(name))}]`;
export const resources = (...uris: readonly string[]) => `resources: [${uris.map((uri) => resourceText(uri))}]`;
export const routes = (...paths: readonly string[]) => `routes: [${paths.map((path) => routeText(path))}]`;

interface FileLoad {
  /** Names of the packs that were loaded. */
  readonly packs: readonly string[];
  /** The reason of each failure, by the name of its file; paths are cut to the file's name. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly loaded: Awaited<ReturnType<typeof loadPacks>>;
}

interface Given {
  readonly environment?: Record<string, string>;
  readonly builtIn?: readonly Pack[];
}

/** Loads the files beside the built-in packs, and says what became of them. */
export async function loadFiles(
  files: Readonly<Record<string, string>>,
  { environment = {}, builtIn = [] }: Given = {},
): Promise<FileLoad> {
  const directory = await folderWith(files);
  const configuration = configurationFor({ MKT_PLUGIN_DIR: directory, ...known(environment) });
  const loaded = await loadPacks(builtIn, configuration, environment);
  const reasons = loaded.failures.map(({ source, reason }) => [source, reason].map((text) => cut(text, directory)));
  return { packs: loaded.packs.map(({ name }) => name), reasons: Object.fromEntries(reasons), loaded };
}

/** The reason why a pack with these properties is refused; undefined if it is loaded. */
export async function refusalOf(parts: string, before = "", environment: Record<string, string> = {}) {
  return (await loadFiles({ "acme.ts": packNamed("acme", parts, before) }, { environment })).reasons["acme.ts"];
}

/** Loads the files with another limit than usual, unless it is undefined. */
export async function loadWithin(limitMs: number | undefined, files: Readonly<Record<string, string>>) {
  const directory = await folderWith(files);
  const { packs, failures } = await loadExternalPacks(directory, { environment: {}, ...(limitMs && { limitMs }) });
  const reasons = failures.map(({ source, reason }) => [cut(source, directory), reason]);
  return { packs: packs.map(({ name }) => name), reasons: Object.fromEntries(reasons) };
}

function known(environment: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith("MKT_")));
}

function cut(text: string, directory: string): string {
  return text.replaceAll(join(directory, "/"), "");
}
