// The npm packages: one for each platform, with its executable, and one with the launcher, which depends on all of them
// optionally, so npm installs the one that fits the machine.
//
// npm itself packs them, so what it would refuse fails here. It gives files fixed times and owners.
// Cost: about 10 s for each executable.

import { copyFile, link, mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  AUTHOR,
  DESCRIPTION,
  HOMEPAGE,
  ISSUES,
  LICENSE,
  NPM_PACKAGE,
  PROGRAM_NAME,
  REGISTRY_NAME,
  REPOSITORY,
  REPOSITORY_URL,
} from "../identity.ts";
import { executableName, isInNpm, npmPackageOf, type Platform, PLATFORMS } from "../platforms.ts";

interface PlatformExecutable {
  readonly platform: Platform;
  readonly path: string;
}

interface NpmOptions {
  readonly version: string;
  /** Where the .tgz files go. It exists. */
  readonly folder: string;
  /** The text of THIRD-PARTY-LICENSES. */
  readonly licenses: string;
}

const ROOT = resolve(import.meta.dir, "../..");

/** Fields that all packages have. */
function commonFields(name: string, version: string, description: string) {
  return {
    name,
    version,
    description,
    license: LICENSE,
    author: AUTHOR,
    homepage: HOMEPAGE,
    repository: { type: "git", url: REPOSITORY_URL },
    bugs: { url: ISSUES },
    // A scope's packages are private unless they say otherwise.
    publishConfig: { access: "public" },
  };
}

/** The package that people install. */
export function launcherPackage(version: string) {
  const names = PLATFORMS.filter(isInNpm).map(npmPackageOf);
  return {
    ...commonFields(NPM_PACKAGE, version, DESCRIPTION),
    keywords: ["mcp", "model-context-protocol", "electricity", "market", "trading"],
    // The MCP registry compares it with the name in server.json.
    mcpName: REGISTRY_NAME,
    type: "module",
    bin: { [PROGRAM_NAME]: "bin/mkt.mjs" },
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(names.map((name) => [name, version])),
  };
}

export function platformPackage(platform: Platform, version: string) {
  return {
    ...commonFields(npmPackageOf(platform), version, `The executable of ${NPM_PACKAGE} for ${npmTitle(platform)}`),
    os: [platform.nodePlatform],
    cpu: [platform.nodeArch],
    ...(platform.nodePlatform === "linux" ? { libc: ["glibc"] } : {}),
    // Package managers that keep packages in zip files unpack this one.
    preferUnplugged: true,
  };
}

function npmTitle({ os, nodeArch }: Platform): string {
  const names = { linux: "Linux", macos: "macOS", windows: "Windows" };
  return `${names[os]} on ${nodeArch}`;
}

/** Packs the launcher's package, and returns the name of its file in the folder. */
export async function packLauncher({ version, folder }: NpmOptions): Promise<string> {
  return await packed(folder, launcherPackage(version), async (staging) => {
    await mkdir(join(staging, "bin"));
    await copyFile(join(import.meta.dir, "launcher.mjs"), join(staging, "bin/mkt.mjs"));
    await Bun.write(join(staging, "README.md"), launcherReadme());
  });
}

/** Packs the package of a platform, and returns the name of its file in the folder. */
export async function packPlatform({ platform, path }: PlatformExecutable, options: NpmOptions): Promise<string> {
  const { version, folder, licenses } = options;
  return await packed(folder, platformPackage(platform, version), async (staging) => {
    await mkdir(join(staging, "bin"));
    // npm keeps the executable bit.
    await link(path, join(staging, "bin", executableName(platform)));
    await Bun.write(join(staging, "THIRD-PARTY-LICENSES.txt"), licenses);
    await Bun.write(
      join(staging, "README.md"),
      `# ${npmPackageOf(platform)}\n\nThe executable of mkt for ${
        npmTitle(platform)
      }. Install [${NPM_PACKAGE}](${REPOSITORY}) instead: it chooses the right one.\n`,
    );
  });
}

/** Packs a package whose files `fill` writes. */
async function packed(
  folder: string,
  json: { readonly name: string },
  fill: (staging: string) => Promise<void>,
): Promise<string> {
  const staging = join(folder, `.${json.name.replace("/", "-")}-${process.pid}`);
  await mkdir(staging);
  try {
    await Bun.write(join(staging, "package.json"), `${JSON.stringify(json, null, 2)}\n`);
    await copyFile(join(ROOT, "LICENSE"), join(staging, "LICENSE"));
    await fill(staging);
    return await npmPack(staging, folder);
  } finally {
    await rm(staging, { recursive: true });
  }
}

async function npmPack(staging: string, folder: string): Promise<string> {
  const options = ["--json", "--ignore-scripts", "--pack-destination", resolve(folder)];
  const command = ["npm", "pack", resolve(staging), ...options];
  const npm = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [output, errors] = await Promise.all([new Response(npm.stdout).text(), new Response(npm.stderr).text()]);
  if (await npm.exited !== 0) throw new Error(`npm pack failed: ${errors.trim()}`);
  const [{ filename }] = JSON.parse(output);
  return filename;
}

function launcherReadme(): string {
  return `# mkt

${DESCRIPTION}.

\`\`\`sh
npx ${NPM_PACKAGE} demo                  # a whole market in one process, MCP on http://127.0.0.1:4087/mcp
npx ${NPM_PACKAGE} client-config claude-code --demo
\`\`\`

The package starts the executable of your platform: Linux with glibc and macOS on x64 and arm64, Windows on x64. It has no other
dependencies, and Node only starts it.

Documents, other ways to install it, and its source: ${REPOSITORY}
`;
}
