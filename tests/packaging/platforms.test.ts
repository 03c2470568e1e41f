// The names of what is made for each platform.

import { expect, test } from "bun:test";
import { NPM_PACKAGE, REPOSITORY } from "../../packaging/identity.ts";
import { archiveName, builtName, executableName, isInNpm, npmPackageOf, PLATFORMS } from "../../packaging/platforms.ts";

test("names an archive by version, operating system and processor", () => {
  expect(PLATFORMS.map((platform) => archiveName(platform, "1.2.3"))).toEqual([
    "mkt-1.2.3-linux-x64.tar.gz",
    "mkt-1.2.3-linux-x64-baseline.tar.gz",
    "mkt-1.2.3-linux-arm64.tar.gz",
    "mkt-1.2.3-macos-x64.tar.gz",
    "mkt-1.2.3-macos-arm64.tar.gz",
    "mkt-1.2.3-windows-x64.zip",
  ]);
});

test("only the executable for Windows ends in .exe", () => {
  expect(PLATFORMS.filter((platform) => executableName(platform) === "mkt.exe").map(({ os }) => os)).toEqual([
    "windows",
  ]);
  expect(PLATFORMS.filter((platform) => builtName(platform).endsWith(".exe")).map(({ os }) => os)).toEqual(["windows"]);
});

test("names npm packages as Node names the platform, and gives each one executable", () => {
  const inNpm = PLATFORMS.filter(isInNpm);
  const names = inNpm.map(npmPackageOf);
  expect(names).toContain(`${NPM_PACKAGE}-win32-x64`);
  expect(names).toContain(`${NPM_PACKAGE}-darwin-arm64`);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(PLATFORMS.map(npmPackageOf))).toEqual(new Set(names));
  expect(inNpm.map(({ arch }) => arch)).toContain("x64-baseline");
});

test("the address of the repository is one that a browser opens", () => {
  expect(new URL(REPOSITORY).href).toBe(REPOSITORY);
  expect(REPOSITORY).not.toEndWith(".git");
});
