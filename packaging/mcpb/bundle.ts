// Writes MCPB bundles: zip files with a manifest, an icon, the licence and the executable of one platform, which chat hosts
// install with a click. Packs with the functions of Anthropic's own tool, which checks the manifest first.
//
// Cost: about 15 s and 500 MB of memory for each bundle, because the tool compresses as well as it can, in one thread.

import { packExtension } from "@anthropic-ai/mcpb/cli";
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PROGRAM_NAME } from "../identity.ts";
import { isInNpm, type Platform } from "../platforms.ts";
import { iconPng } from "./icon.ts";
import { entryPoint, ICON_FILE, mcpbManifest } from "./manifest.ts";

interface BuiltExecutable {
  readonly platform: Platform;
  /** The path of its executable. */
  readonly path: string;
}

interface McpbBundle {
  readonly platform: Platform;
  /** The name of the file in the folder. */
  readonly file: string;
  readonly path: string;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  readonly bytes: number;
}

interface McpbOptions {
  readonly version: string;
  readonly executables: readonly BuiltExecutable[];
  /** Where the bundles go. It is made if it is missing. */
  readonly folder: string;
  /** The licences of what the executable contains, as one text. `mkt licenses` prints them too. */
  readonly licenses: string;
}

/** Neither a manifest nor the registry can say which instructions a processor must have, so the name does not either. */
function mcpbName({ os, nodeArch }: Platform, version: string): string {
  return `${PROGRAM_NAME}-${version}-${os}-${nodeArch}.mcpb`;
}

/**
 * Writes a bundle for each executable that npm packages have, too: those that run on every processor. Throws if one is not
 * packed.
 */
export async function writeMcpb({ executables, ...options }: McpbOptions): Promise<McpbBundle[]> {
  await mkdir(options.folder, { recursive: true });
  const bundles: McpbBundle[] = [];
  for (const executable of executables.filter(({ platform }) => isInNpm(platform))) {
    bundles.push(await writeBundle(executable, options));
  }
  return bundles;
}

type BundleOptions = Omit<McpbOptions, "executables">;

async function writeBundle(executable: BuiltExecutable, options: BundleOptions): Promise<McpbBundle> {
  const { platform } = executable;
  const { version, folder } = options;
  const file = mcpbName(platform, version);
  const path = join(folder, file);
  const staging = await mkdtemp(join(folder, ".mcpb-"));
  try {
    await stageBundle(executable, options, staging);
    if (!await packExtension({ extensionPath: staging, outputPath: path, silent: true })) {
      throw new Error(`${file} was not packed: run mcpb validate on its manifest`);
    }
  } finally {
    await rm(staging, { recursive: true });
  }
  const content = await Bun.file(path).bytes();
  const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  return { platform, file, path, sha256, bytes: content.length };
}

async function stageBundle(
  { platform, path }: BuiltExecutable,
  { version, licenses }: BundleOptions,
  folder: string,
): Promise<void> {
  const target = join(folder, entryPoint(platform));
  await mkdir(dirname(target), { recursive: true });
  await copyFile(path, target);
  await chmod(target, 0o755);
  await copyFile(new URL("../../LICENSE", import.meta.url).pathname, join(folder, "LICENSE"));
  await writeFile(join(folder, "THIRD-PARTY-LICENSES.txt"), licenses);
  await writeFile(join(folder, ICON_FILE), iconPng());
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(mcpbManifest(platform, version), null, 2)}\n`);
}
