import { expect, test } from "bun:test";
import { NPM_PACKAGE, REPOSITORY } from "../../packaging/identity.ts";
import { archiveName, builtName, executableName, isInNpm, npmPackageOf, PLATFORMS } from "../../packaging/platforms.ts";

test("names an archive by version, operating system and processor", () => {
  const ofUnix = ["linux-x64", "linux-x64-baseline", "linux-arm64", "macos-x64", "macos-arm64"];
  expect(PLATFORMS.map((platform) => archiveName(platform, "1.2.3")))
    .toEqual([...ofUnix.map((name) => `mkt-1.2.3-${name}.tar.gz`), "mkt-1.2.3-windows-x64.zip"]);
});

test("only the executable for Windows ends in .exe", () => {
  for (const nameOf of [executableName, builtName]) {
    expect(PLATFORMS.filter((platform) => nameOf(platform).endsWith(".exe")).map(({ os }) => os)).toEqual(["windows"]);
  }
  expect(PLATFORMS.map(executableName)).toContain("mkt.exe");
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
