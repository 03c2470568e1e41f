import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { PLATFORMS } from "../../packaging/platforms.ts";
import { sectionOf } from "../../packaging/release/changelog.ts";
import { changedFiles } from "../../packaging/release/changed-files.ts";
import { checkFormat, executableFormat } from "../../packaging/release/executable-format.ts";
import { megabytes, releaseSection, sizeTable, tellsOfRelease } from "../../packaging/release/sizes.ts";
import { archiveReadme, publishCommands, releaseNotes } from "../../packaging/release/texts.ts";
import { checkedSection, withVersion } from "../../packaging/release/version.ts";
import { withRelease } from "../../scripts/install-links.ts";
import { BARE_ENVIRONMENT, MKT } from "../support/executable.ts";
import { run } from "../support/processes.ts";
import { SHA256SUM } from "../support/sha256sum.ts";
import { LONG } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = resolve(import.meta.dir, "../..");
const read = (path: string) => Bun.file(join(ROOT, path)).text();
const release = (...args: string[]) =>
  run([process.execPath, "scripts/release.ts", "--uncommitted", ...args], { cwd: ROOT, env: { ...BARE_ENVIRONMENT } });

const CHANGELOG = `# Changelog

## [Unreleased]

## [1.1.0] - 2026-02-01

### Added

- Something.

## [1.0.0] - 2026-01-01

## [0.9.0]

- Undated.
`;

describe("CHANGELOG.md", () => {
  test("has a section for package.json's version", async () => {
    expect(checkedSection(packageJson.version, await read("CHANGELOG.md")).text).toContain("### Added");
  });

  test("a section has a date and a text", () => {
    expect(sectionOf(CHANGELOG, "1.1.0")).toEqual({ date: "2026-02-01", text: "### Added\n\n- Something." });
    // Empty, without a date, without a version, and one that is not there.
    for (const name of ["1.0.0", "0.9.0", "Unreleased", "1.1"]) expect(sectionOf(CHANGELOG, name)).toBeNull();
  });
});

describe("the version of a release", () => {
  test("needs a section of CHANGELOG.md", () => {
    expect(checkedSection("1.1.0", CHANGELOG).date).toBe("2026-02-01");
    expect(() => checkedSection("2.0.0", CHANGELOG)).toThrow("begins with ## [2.0.0] - YYYY-MM-DD");
  });

  test.each(["1.2", "v1.2.3", "01.2.3", "1.2.3+build", "1.2.3-", "latest"])("is not %s", (version) => {
    expect(() => checkedSection(version, CHANGELOG)).toThrow(`${version} is no version`);
  });

  test("replaces package.json's and nothing else", async () => {
    const text = await read("package.json");
    const changed = withVersion(text, "12.0.0-beta.1");
    expect(JSON.parse(changed)).toEqual({ ...JSON.parse(text), version: "12.0.0-beta.1" });
    expect(withVersion(changed, packageJson.version)).toBe(text);
  });

  test("without a section stops the script, which then has changed nothing", async () => {
    const before = await read("package.json");
    const { exitCode, stderr, stdout } = await release("98.0.0", "--out", temporaryDirectory());
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toStartWith("release: CHANGELOG.md has no section for 98.0.0");
    expect(await read("package.json")).toBe(before);
  });
});

test("a release deletes nothing in a folder that somebody names", async () => {
  const folder = temporaryDirectory();
  await Bun.write(join(folder, "thesis.txt"), "years of work");
  const stderr = `release: ${folder} is not empty: choose another folder\n`;
  expect(await release("--out", folder)).toEqual({ exitCode: 1, stdout: "", stderr });
  expect(await Bun.file(join(folder, "thesis.txt")).text()).toBe("years of work");
});

describe("the files of a release", () => {
  test("are those of a commit, except the version, the changes and the sizes", () => {
    const status = " M package.json\0 M CHANGELOG.md\0 M README.md\0 M docs/README.md\0?? core/new file.ts\0";
    expect(changedFiles(status)).toEqual(["docs/README.md", "core/new file.ts"]);
    expect(changedFiles("")).toEqual([]);
  });

  test("are refused if git does not know them", async () => {
    const folder = temporaryDirectory();
    await Bun.write(join(folder, "package.json"), JSON.stringify({ version: "1.1.0" }));
    await Bun.write(join(folder, "CHANGELOG.md"), CHANGELOG);
    await Bun.write(join(folder, "dist/release/earlier.txt"), "kept");
    // Git looks for no repository above the folder.
    const env = { ...BARE_ENVIRONMENT, GIT_CEILING_DIRECTORIES: dirname(folder) };
    const { exitCode, stderr } = await run([process.execPath, join(ROOT, "scripts/release.ts")], { cwd: folder, env });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^release: git can't say which files have changed \(.+\): commit first, or say --uncommitted/,
    );
    expect(await Bun.file(join(folder, "dist/release/earlier.txt")).text()).toBe("kept");
  });
});

describe("the format of an executable", () => {
  test("is read from its header, for all platforms", () => {
    const elf = [0x7f, 0x45, 0x4c, 0x46, 2, 1];
    const machO = [0xcf, 0xfa, 0xed, 0xfe];
    const at = (...parts: [number, readonly number[]][]) => {
      const header = new Uint8Array(1024);
      for (const [offset, bytes] of parts) header.set(bytes, offset);
      return executableFormat(header);
    };
    const pe: [number, number[]][] = [[0, [0x4d, 0x5a]], [0x3c, [0x80]], [0x80, [0x50, 0x45, 0, 0]]];
    expect([at([0, elf], [18, [62]]), at([0, elf], [18, [183]])])
      .toEqual([{ os: "linux", processor: "x64" }, { os: "linux", processor: "arm64" }]);
    expect([at([0, machO], [4, [7, 0, 0, 1]]), at([0, machO], [4, [12, 0, 0, 1]])])
      .toEqual([{ os: "macos", processor: "x64" }, { os: "macos", processor: "arm64" }]);
    expect(at(...pe, [0x84, [0x64, 0x86]])).toEqual({ os: "windows", processor: "x64" });
    // A 32-bit processor, a script, and a file without a header.
    expect([at([0, elf], [18, [3]]), at([0, [0x23, 0x21]]), executableFormat(new Uint8Array(10))])
      .toEqual([null, null, null]);
  });

  test("must be the one of the platform", async () => {
    for (const platform of PLATFORMS) {
      if (platform.nodePlatform !== process.platform) {
        await expect(checkFormat(MKT, platform)).rejects.toThrow("is no executable for");
      } else if (platform.nodeArch === process.arch) await checkFormat(MKT, platform);
    }
  });
});

describe("the texts", () => {
  test("README.md names the archive of every platform with its size, once there is a release", async () => {
    const present = await read("README.md");
    const first = PLATFORMS.map((platform) => ({ platform, archiveBytes: 59e6, executableBytes: 126e6 }));
    const readme = tellsOfRelease(present) ? present : withRelease(present, first);
    const [, section = ""] = /<!-- archives: .*? -->([^]*?)<!-- \/archives -->/.exec(readme) ?? [];
    const sizes = [...section.matchAll(/ (\d+) MB +\|.* (\d+) MB +\|/g)].map(([, archive, executable]) => ({
      archiveBytes: Number(archive) * 1e6,
      executableBytes: Number(executable) * 1e6,
    }));
    expect(sizes).toHaveLength(PLATFORMS.length);
    const expected = releaseSection(PLATFORMS.map((platform, index) => ({ platform, ...sizes[index]! })));
    // The formatter aligns the columns.
    const cells = (text: string) =>
      text.trim().split("\n").map((line) => line.split("|").map((cell) => cell.trim().replace(/^-+$/, "---")));
    expect(cells(section)).toEqual(cells(expected));
  });

  test("the release notes have the changes, the files and what macOS asks for", () => {
    const section = { date: "2026-02-01", text: "### Added\n\n- Something." };
    const notes = releaseNotes({ version: "1.1.0", section, table: "| `mkt-VERSION-linux-x64.tar.gz` |" });
    const words = ["mkt-1.1.0-linux-x64.tar.gz", "xattr -d com.apple.quarantine", "--sign packaging/macos/sign.sh"];
    for (const each of ["- Something.", ...words]) expect(notes).toContain(each);
    expect(megabytes(58_447_089)).toBe("58 MB");
  });

  test("each archive's README has the commands of its platform, and only macOS' says what its quarantine asks for", () => {
    const readmes = PLATFORMS.map((platform) =>
      [platform.os, archiveReadme(platform, "1.1.0"), platform.title] as const
    );
    for (const [os, text, title] of readmes) {
      expect(text).toStartWith(`mkt 1.1.0 for ${title}\n`);
      const start = os === "windows" ? ".\\mkt.exe" : "./mkt";
      for (const command of ["demo  ", "doctor  ", "--help  "]) expect(text).toContain(`\n  ${start} ${command}`);
      expect(text).toContain(`printed by \`${start} licenses\``);
      expect([os, text.includes("com.apple.quarantine mkt")]).toEqual([os, os === "macos"]);
    }
  });

  test("the table of archives has a row for each platform, with the sizes of its own archive and executable", () => {
    const sizes = PLATFORMS.slice(0, 2).map((platform, at) => ({
      platform,
      archiveBytes: 1e6 * (at + 1),
      executableBytes: 1e8 * (at + 1),
    }));
    expect(sizeTable(sizes).split("\n")).toEqual([
      "| for | archive | size | executable |",
      "| --- | --- | --- | --- |",
      "| Linux, x64 | `mkt-VERSION-linux-x64.tar.gz` | 1 MB | 100 MB |",
      "| Linux, x64 without AVX2 | `mkt-VERSION-linux-x64-baseline.tar.gz` | 2 MB | 200 MB |",
    ]);
  });

  test("the launcher's package is published after those that it needs", () => {
    const npmFiles = ["platform.tgz", "launcher.tgz"];
    const commands = publishCommands({ version: "1.1.0", folder: "dist/release", npmFiles });
    const npm = commands.filter((command) => command.startsWith("npm publish"));
    expect(npm).toEqual(["npm publish dist/release/npm/platform.tgz", "npm publish dist/release/npm/launcher.tgz"]);
    // The registry of MCP servers checks that the npm package is there.
    const place = (start: string) => commands.findIndex((command) => command.startsWith(start));
    const order = ["git diff", "gh release create v1.1.0 --draft --title", "npm publish", "mcp-publisher"].map(place);
    expect(order).toEqual([0, 1, 2, 4]);
  });

  test("a preview is published as one, and only a commit gets a tag", () => {
    const commands = publishCommands({ version: "1.1.0-beta.1", folder: "dist/release", npmFiles: ["launcher.tgz"] });
    expect(commands).toContain("npm publish --tag next dist/release/npm/launcher.tgz");
    expect(commands.find((command) => command.startsWith("gh release"))).toContain(" --draft --prerelease ");
    expect(commands[0]).toBe("git diff --quiet HEAD && git tag v1.1.0-beta.1 && git push origin v1.1.0-beta.1");
  });
});

test.if(LONG)("a release of one platform is complete, and its checksums hold", async () => {
  const folder = join(temporaryDirectory(), "release");
  const { exitCode, stdout, stderr } = await release("--platform", "linux-x64-baseline", "--out", folder);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stdout).toContain("Nothing is published");
  expect(stdout).not.toContain("npm publish");
  const { version } = packageJson;
  const files = await Array.fromAsync(new Bun.Glob("**/*").scan(folder));
  const ofMkt = [
    "-linux-x64-baseline.tar.gz",
    "-linux-x64.mcpb",
    "-openenv.tar.gz",
    "-third-party-licenses.txt",
    ".cdx.json",
  ];
  expect(files.toSorted()).toEqual([
    ...["RELEASE-NOTES.md", "SHA256SUMS", ...ofMkt.map((end) => `mkt-${version}${end}`)],
    ...[`npm/mkt-market-mkt-${version}.tgz`, `npm/mkt-market-mkt-linux-x64-${version}.tgz`, "server.json"],
  ]);
  const check = await run([...SHA256SUM, "--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: folder });
  expect(check).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

describe("signing for macOS", () => {
  /** Programs of a Mac that do nothing; notarytool ends with this status of the executable, and always succeeds. */
  async function sign(status: string) {
    const folder = temporaryDirectory();
    const program = async (name: string, text: string) => {
      await Bun.write(join(folder, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(folder, name), 0o755);
    };
    await program("codesign", "exit 0");
    await program("ditto", `touch "$4"`);
    await program("xcrun", `echo "  status: ${status}"`);
    const env = { ...BARE_ENVIRONMENT, PATH: `${folder}:${process.env["PATH"]}`, IDENTITY: "nobody", PROFILE: "none" };
    const { exitCode, stdout } = await run([join(ROOT, "packaging/macos/sign.sh"), join(folder, "mkt")], { env });
    return { exitCode, stdout, left: existsSync(join(folder, "mkt.zip")) };
  }

  test("fails if Apple does not notarize the executable, and leaves no file behind", async () => {
    expect(await sign("Accepted")).toEqual({ exitCode: 0, stdout: "  status: Accepted\n", left: false });
    expect(await sign("Invalid")).toEqual({ exitCode: 1, stdout: "  status: Invalid\n", left: false });
  });
});
