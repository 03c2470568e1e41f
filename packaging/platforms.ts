// The platforms for which mkt is built, and the names of what is made for each.

import { NPM_PACKAGE, PROGRAM_NAME, VERSION } from "./identity.ts";

export interface Platform {
  /** The name of Bun's target. */
  readonly target: `bun-${string}`;
  /** The operating system and the processor, as names of files have them. */
  readonly os: "linux" | "macos" | "windows";
  readonly arch: "x64" | "x64-baseline" | "arm64";
  /** The names of Node and npm: `process.platform` and `process.arch`. */
  readonly nodePlatform: "linux" | "darwin" | "win32";
  readonly nodeArch: "x64" | "arm64";
  /** For people. */
  readonly title: string;
}

const LINUX = { os: "linux", nodePlatform: "linux" } as const;
const MACOS = { os: "macos", nodePlatform: "darwin" } as const;
const WINDOWS = { os: "windows", nodePlatform: "win32" } as const;
const X64 = { arch: "x64", nodeArch: "x64" } as const;
const BASELINE = { arch: "x64-baseline", nodeArch: "x64" } as const;
const ARM64 = { arch: "arm64", nodeArch: "arm64" } as const;

export const PLATFORMS = [
  { target: "bun-linux-x64", ...LINUX, ...X64, title: "Linux, x64" },
  { target: "bun-linux-x64-baseline", ...LINUX, ...BASELINE, title: "Linux, x64 without AVX2" },
  { target: "bun-linux-arm64", ...LINUX, ...ARM64, title: "Linux, arm64" },
  { target: "bun-darwin-x64", ...MACOS, ...X64, title: "macOS, x64" },
  { target: "bun-darwin-arm64", ...MACOS, ...ARM64, title: "macOS, arm64" },
  { target: "bun-windows-x64", ...WINDOWS, ...X64, title: "Windows, x64" },
] as const satisfies readonly Platform[];

export type Target = (typeof PLATFORMS)[number]["target"];

/** The executable in its archive and in its npm package. */
export function executableName({ os }: Platform): string {
  return os === "windows" ? `${PROGRAM_NAME}.exe` : PROGRAM_NAME;
}

/** The executable in dist/, among those of the other platforms. */
export function builtName(platform: Platform): string {
  return `${PROGRAM_NAME}-${platform.os}-${platform.arch}${platform.os === "windows" ? ".exe" : ""}`;
}

/** The folder that the archive contains. */
export function archiveFolder({ os, arch }: Platform, version: string = VERSION): string {
  return `${PROGRAM_NAME}-${version}-${os}-${arch}`;
}

/** Windows opens zip files without further programs; tar keeps the executable bit. */
export function archiveName(platform: Platform, version: string = VERSION): string {
  return `${archiveFolder(platform, version)}${platform.os === "windows" ? ".zip" : ".tar.gz"}`;
}

/** The npm package that contains the executable of a platform alone. */
export function npmPackageOf({ nodePlatform, nodeArch }: Platform): string {
  return `${NPM_PACKAGE}-${nodePlatform}-${nodeArch}`;
}

/**
 * Whether the npm package of its operating system and processor has this executable. npm can't tell which processors have
 * AVX2, so its package for Linux on x64 has the executable that runs on all of them.
 */
export function isInNpm({ os, arch }: Platform): boolean {
  return !(os === "linux" && arch === "x64");
}
