// Makes everything of a release from one number, in dist/release/. It publishes nothing, and prints what to run to publish.
//
//   bun scripts/release.ts [VERSION] [--platform linux-x64 ...] [--out FOLDER] [--sign COMMAND] [--uncommitted]
//   bun scripts/release.ts --sizes      writes the sizes of the last release, and that there is one, into README.md
//
// VERSION becomes package.json's version. CHANGELOG.md must have a section for it. All other files must be committed, because
// the release's tag names a commit; --uncommitted is for trying the script. COMMAND gets the path of each executable for macOS
// before it is packed (packaging/macos/sign.sh). Needs npm. Cost for all platforms: about five minutes and 1.5 GB of disk, of
// which 0.8 GB stay.

import { mkdir, readdir, rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { errorMessage } from "../common/error-message.ts";
import { PLATFORMS } from "../packaging/platforms.ts";
import { checkCommitted } from "../packaging/release/changed-files.ts";
import type { ArchiveSize } from "../packaging/release/sizes.ts";
import { checkedSection, withVersion } from "../packaging/release/version.ts";

const USUAL_FOLDER = "dist/release";

const { values, positionals: [wanted, ...others] } = parseArgs({
  options: {
    platform: { type: "string", multiple: true },
    out: { type: "string", default: USUAL_FOLDER },
    sign: { type: "string" },
    sizes: { type: "boolean", default: false },
    uncommitted: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

/** Beside the folder, whose files are all published. */
const sizesPath = `${values.out}.sizes.json`;

try {
  if (others.length > 0) throw new Error(`one version, please: ${[wanted, ...others].join(" ")}`);
  if (values.sizes) await writeSizes();
  else await release();
} catch (error) {
  console.error(`release: ${errorMessage(error)}`);
  process.exit(1);
}

async function release(): Promise<void> {
  const packageJson = await Bun.file("package.json").text();
  const { version } = JSON.parse(packageJson);
  const section = checkedSection(wanted ?? version, await Bun.file("CHANGELOG.md").text());
  const platforms = PLATFORMS.filter((platform) =>
    values.platform?.includes(`${platform.os}-${platform.arch}`) ?? true
  );
  if (platforms.length < (values.platform?.length ?? 1)) {
    throw new Error(`unknown platform: there are ${PLATFORMS.map(({ os, arch }) => `${os}-${arch}`).join(", ")}`);
  }
  if (!values.uncommitted) checkCommitted();
  await emptied(values.out);
  if (wanted !== undefined && wanted !== version) await Bun.write("package.json", withVersion(packageJson, wanted));
  // Loaded only now: it reads the version.
  const { makeRelease } = await import("./make-release.ts");
  const { sizes, commands } = await makeRelease({
    version: wanted ?? version,
    section,
    platforms,
    folder: values.out,
    sign: values.sign ?? null,
  });
  await Bun.write(sizesPath, JSON.stringify(sizes, null, 2));
  if (platforms.length < PLATFORMS.length || values.uncommitted) {
    // The launcher's package needs those of all platforms.
    console.log(
      `\n${values.out} is for trying. Nothing is published, and only a release of all platforms and of a commit may be.`,
    );
    return;
  }
  console.log(
    `\n${values.out} is complete. Nothing is published. To publish:\n\n${
      commands.map((each) => `  ${each}\n`).join("")
    }`,
  );
}

/** Makes the folder. Deletes what an earlier release left in the usual one; another one must be empty. */
async function emptied(folder: string): Promise<void> {
  if (folder === USUAL_FOLDER) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty: choose another folder`);
}

/** From now on README.md tells of a release. */
async function writeSizes(): Promise<void> {
  if (!await Bun.file(sizesPath).exists()) throw new Error(`there is no ${sizesPath}: run bun run release first`);
  const sizes: ArchiveSize[] = await Bun.file(sizesPath).json();
  if (sizes.length < PLATFORMS.length) throw new Error(`${sizesPath} has not all platforms: release them all`);
  const { withRelease } = await import("./install-links.ts");
  await Bun.write("README.md", withRelease(await Bun.file("README.md").text(), sizes));
}
