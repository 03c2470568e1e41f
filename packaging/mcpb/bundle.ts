// Writes MCPB bundles: zip files with a manifest, an icon, the licence and the executable of one platform, which chat hosts install
// with a click. Packs with the functions of Anthropic's own tool, which checks the manifest first.
//
// Cost: about 15 s and 500 MB of memory for each bundle, because the tool compresses as well as it can, in one thread.

import { packExtension } from "@anthropic-ai/mcpb/cli";
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { archiveFolder, type Platform } from "../platforms.ts";
import { iconPng } from "./icon.ts";
import { entryPoint, ICON_FILE, mcpbManifest } from "./manifest.ts";

export interface BuiltExecutable {
  readonly platform: Platform;
  /** The path of its executable. */
  readonly path: string;
}

export interface McpbBundle {
  readonly platform: Platform;
  /** The name of the file in the folder. */
  readonly file: string;
  readonly path: string;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  readonly bytes: number;
}

export interface McpbOptions {
  readonly version: string;
  readonly executables: readonly BuiltExecutable[];
  /** Where the bundles go. It is made if it is missing. */
  readonly folder: string;
}

export function mcpbName(platform: Platform, version: string): string {
  return `${archiveFolder(platform, version)}.mcpb`;
}

/**
 * Whether a platform has a bundle. The executable for older processors has none: neither a manifest nor the registry can say which
 * processor a bundle is for.
 */
export function hasBundle({ arch }: Platform): boolean {
  return arch !== "x64-baseline";
}

/** Writes a bundle for each executable whose platform has one. Throws if the tool refuses a manifest. */
export async function writeMcpb({ version, executables, folder }: McpbOptions): Promise<McpbBundle[]> {
  await mkdir(folder, { recursive: true });
  const bundles: McpbBundle[] = [];
  for (const executable of executables.filter(({ platform }) => hasBundle(platform))) {
    bundles.push(await writeBundle(executable, version, folder));
  }
  return bundles;
}

async function writeBundle({ platform, path: executable }: BuiltExecutable, version: string, folder: string) {
  const file = mcpbName(platform, version);
  const path = join(folder, file);
  const staging = await mkdtemp(join(folder, ".mcpb-"));
  try {
    await stageBundle({ platform, path: executable }, version, staging);
    if (!await packExtension({ extensionPath: staging, outputPath: path, silent: true })) {
      throw new Error(`${file} was not packed: run mcpb validate on its manifest`);
    }
  } finally {
    await rm(staging, { recursive: true });
  }
  const content = await Bun.file(path).bytes();
  return {
    platform,
    file,
    path,
    sha256: new Bun.CryptoHasher("sha256").update(content).digest("hex"),
    bytes: content.length,
  };
}

/** The content of a bundle, in a folder that exists. */
export async function stageBundle({ platform, path }: BuiltExecutable, version: string, folder: string): Promise<void> {
  const target = join(folder, entryPoint(platform));
  await mkdir(dirname(target), { recursive: true });
  await copyFile(path, target);
  await chmod(target, 0o755);
  await copyFile(new URL("../../LICENSE", import.meta.url).pathname, join(folder, "LICENSE"));
  await writeFile(join(folder, ICON_FILE), iconPng());
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(mcpbManifest(platform, version), null, 2)}\n`);
}
