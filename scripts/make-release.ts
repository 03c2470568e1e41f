// The files of a release, one platform after the other, so that only one unpacked executable needs space at a time.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ArchivedFile, tarGz, zip } from "../packaging/archives.ts";
import { checksumText, type HashedFile, sha256Of } from "../packaging/checksums.ts";
import { billOfMaterials, type ReleasedFile } from "../packaging/contents/bill-of-materials.ts";
import { licenseText } from "../packaging/contents/license-text.ts";
import { lockIntegrity } from "../packaging/contents/lock-integrity.ts";
import { type BundledPackage, packageListOf } from "../packaging/contents/packages.ts";
import { PROGRAM_NAME } from "../packaging/identity.ts";
import { writeMcpb } from "../packaging/mcpb/bundle.ts";
import { packLauncher, packPlatform } from "../packaging/npm/packages.ts";
import { environmentFolder } from "../packaging/openenv/environment-folder.ts";
import {
  archiveFolder,
  archiveName,
  builtName,
  executableName,
  isInNpm,
  type Platform,
  type PLATFORMS,
} from "../packaging/platforms.ts";
import type { ChangelogSection } from "../packaging/release/changelog.ts";
import { checkFormat } from "../packaging/release/executable-format.ts";
import { type ArchiveSize, megabytes, sizeTable } from "../packaging/release/sizes.ts";
import { archiveReadme, publishCommands, releaseNotes } from "../packaging/release/texts.ts";
import { serverJson } from "../packaging/server-json/server-json.ts";
import { compile } from "./compile.ts";

interface ReleaseOptions {
  readonly version: string;
  readonly section: ChangelogSection;
  readonly platforms: readonly (typeof PLATFORMS)[number][];
  /** An empty folder. */
  readonly folder: string;
  /**
   * A command that gets the path of each executable for macOS before it is packed. Null: the executables stay signed ad hoc.
   */
  readonly sign: string | null;
}

interface Release {
  readonly sizes: readonly ArchiveSize[];
  /** What to run to publish. */
  readonly commands: readonly string[];
}

interface PlatformFiles {
  readonly size: ArchiveSize;
  readonly executable: ReleasedFile;
  readonly packages: readonly BundledPackage[];
  readonly npmFile: string | null;
  readonly bundles: Awaited<ReturnType<typeof writeMcpb>>;
}

/** Makes all files. Throws if one can't be made; what is in the folder then is incomplete. */
export async function makeRelease(options: ReleaseOptions): Promise<Release> {
  const { version, section, platforms, folder } = options;
  await mkdir(join(folder, "npm"));
  const made: PlatformFiles[] = [];
  for (const platform of platforms) made.push(await platformFiles(platform, options));
  const packages = made[0]?.packages ?? [];
  const licenses = licenseText(packages);
  const launcher = await packLauncher({ version, folder: join(folder, "npm"), licenses });
  const npmFiles = [...made.flatMap(({ npmFile }) => npmFile ?? []), launcher];
  const table = sizeTable(made.map(({ size }) => size));
  const bill = billOfMaterials({
    packages,
    integrity: lockIntegrity("bun.lockb"),
    executables: made.map(({ executable }) => executable),
    version,
  });
  await Bun.write(join(folder, `${PROGRAM_NAME}-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  await Bun.write(join(folder, `${PROGRAM_NAME}-${version}-third-party-licenses.txt`), licenses);
  const server = serverJson({ version, bundles: made.flatMap(({ bundles }) => bundles) });
  await Bun.write(join(folder, "server.json"), `${JSON.stringify(server, null, 2)}\n`);
  const arena = `${PROGRAM_NAME}-${version}-openenv`;
  await Bun.write(join(folder, `${arena}.tar.gz`), await tarGz(arena, environmentFolder(version)));
  await Bun.write(join(folder, "RELEASE-NOTES.md"), releaseNotes({ version, section, table }));
  await writeChecksums(folder);
  return { sizes: made.map(({ size }) => size), commands: publishCommands({ version, folder, npmFiles }) };
}

/** Archive, npm package and MCPB bundle of one platform. The executable itself is deleted in the end. */
async function platformFiles(
  platform: ReleaseOptions["platforms"][number],
  { version, folder, sign }: ReleaseOptions,
): Promise<PlatformFiles> {
  const path = join(folder, builtName(platform));
  const packages = await compile(path, platform.target);
  await checkFormat(path, platform);
  if (sign !== null && platform.os === "macos") await signed(path, sign);
  const licenses = licenseText(packages);
  const archive = await archiveOf(path, platform, version, licenses);
  await Bun.write(join(folder, archiveName(platform, version)), archive);
  const npmFile = isInNpm(platform)
    ? await packPlatform({ platform, path }, { version, folder: join(folder, "npm"), licenses })
    : null;
  const bundles = await writeMcpb({ version, executables: [{ platform, path }], folder, licenses });
  const size = { platform, archiveBytes: archive.length, executableBytes: Bun.file(path).size };
  const executable = { name: builtName(platform), sha256: await sha256Of(path) };
  await rm(path);
  await rm(packageListOf(path));
  console.log(
    `${archiveName(platform, version)}  ${megabytes(size.archiveBytes)}, executable ${megabytes(size.executableBytes)}`,
  );
  return { size, executable, packages, npmFile, bundles };
}

async function signed(path: string, command: string): Promise<void> {
  const signing = Bun.spawn([command, path], { stdin: "inherit", stdout: "inherit", stderr: "inherit" });
  if (await signing.exited !== 0) throw new Error(`${command} failed with ${path}: see above`);
}

async function archiveOf(path: string, platform: Platform, version: string, licenses: string): Promise<Uint8Array> {
  const text = (name: string, content: string): ArchivedFile => ({
    path: name,
    content: new TextEncoder().encode(content),
    executable: false,
  });
  const files = [
    { path: executableName(platform), content: await Bun.file(path).bytes(), executable: true },
    text("LICENSE", await Bun.file("LICENSE").text()),
    text("THIRD-PARTY-LICENSES.txt", licenses),
    text("README.txt", archiveReadme(platform, version)),
  ];
  const folder = archiveFolder(platform, version);
  return platform.os === "windows" ? zip(folder, files) : await tarGz(folder, files);
}

/** Of all files of the release. */
async function writeChecksums(folder: string): Promise<void> {
  const files: HashedFile[] = [];
  for await (const name of new Bun.Glob("**/*").scan(folder)) {
    files.push({ name: name.replaceAll("\\", "/"), sha256: await sha256Of(join(folder, name)) });
  }
  await Bun.write(join(folder, "SHA256SUMS"), checksumText(files));
}
