import { describe, expect, test } from "bun:test";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { billOfMaterials } from "../../packaging/contents/bill-of-materials.ts";
import { licenseFault } from "../../packaging/contents/license-policy.ts";
import { lockIntegrity, parsedIntegrity } from "../../packaging/contents/lock-integrity.ts";
import { type BundledPackage, licenseTexts, packageListOf, packagesOf } from "../../packaging/contents/packages.ts";
import { BUN, RUNTIME_PARTS } from "../../packaging/contents/runtime-parts.ts";
import { vendoredIn } from "../../packaging/contents/vendored.ts";
import { builtExecutable } from "../support/built-executable.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = resolve(import.meta.dir, "../..");
const executable = builtExecutable();
const packages: BundledPackage[] = await Bun.file(packageListOf(executable)).json();

describe("the packages in the executable", () => {
  test("are those that the program imports, with what these import", () => {
    const names = packages.map(({ name }) => name);
    // A direct one, one that only another package imports, and one of the programs for browsers.
    expect(names).toEqual(expect.arrayContaining(["zod", "tdigest", "preact"]));
    expect(names).not.toContain("typescript");
    expect(names).not.toContain("fast-check");
  });

  test("all have a licence that is accepted", () => {
    expect(packages.map(licenseFault).filter((fault) => fault !== null)).toEqual([]);
  });

  test("without a licence, or with one that nobody has read, are refused", () => {
    const each = { name: "some-package", version: "1.0.0" };
    expect(licenseFault({ ...each, license: "MIT" })).toBeNull();
    expect(licenseFault({ ...each, license: "" })).toContain("some-package@1.0.0 names no licence");
    expect(licenseFault({ ...each, license: "AGPL-3.0-only" })).toContain("AGPL-3.0-only");
  });

  /** Writes files into a folder node_modules, and returns it. */
  function modulesWith(files: Readonly<Record<string, object | string>>): string {
    const modules = join(temporaryDirectory(), "node_modules");
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(modules, path)), { recursive: true });
      writeFileSync(join(modules, path), typeof content === "string" ? content : JSON.stringify(content));
    }
    return modules;
  }

  test("include those whose code another package contains, with the version that its marks name", () => {
    const modules = modulesWith({
      "host/package.json": { name: "host", version: "1.0.0" },
      "@scope/inner/package.json": { name: "@scope/inner", version: "3.0.0", license: "ISC" },
      "host/index.js":
        "//#region ../node_modules/.pnpm/@scope+inner@2.1.0_peer@1.0.0/node_modules/@scope/inner/a.js\ncode\n//#endregion\n" +
        "//#region ../../node_modules/.pnpm/gone@1.2.3/node_modules/gone/lib/b.js\ncode\n",
    });
    const found = vendoredIn([join(modules, "host/index.js"), "core/error.ts"], modules);
    expect(found.map(({ name, version, license, inside }) => [name, version, license, inside])).toEqual([
      ["@scope/inner", "2.1.0", "ISC", "host"],
      ["gone", "1.2.3", "", "host"],
    ]);
    expect(packages.filter(({ inside }) => inside !== null).map(({ name }) => name)).toContain("ajv");
  });

  test("are found from paths: with scopes, inside other packages, each once", () => {
    const folder = modulesWith({
      "outer/package.json": { name: "outer", version: "1.0.0", license: "MIT" },
      "outer/node_modules/@scope/inner/package.json": {
        name: "@scope/inner",
        version: "2.0.0",
        license: { type: "ISC" },
      },
      "outer/LICENSE.md": "Do as you like.\r\n",
      "outer/license.js": "code",
    });
    const inside = ["outer/a/b.js", "outer/c.js", "outer/node_modules/@scope/inner/d.js"];
    const found = packagesOf([...inside.map((path) => join(folder, path)), "core/error.ts"]);
    expect(found.map(({ name, version, license }) => `${name} ${version} ${license}`))
      .toEqual(["@scope/inner 2.0.0 ISC", "outer 1.0.0 MIT"]);
    expect(licenseTexts({ folder: join(folder, "outer") })).toEqual(["Do as you like."]);
  });
});

test("mkt licenses prints the licence of mkt, of every package and of Bun's parts", () => {
  const { exitCode, stdout } = Bun.spawnSync([executable, "licenses"], { cwd: temporaryDirectory() });
  const text = stdout.toString();
  expect(exitCode).toBe(0);
  expect(text).toContain("Copyright (c) 2026 The mkt authors");
  const missing = packages.filter(({ name, version, license }) => !text.includes(`\n${name} ${version}: ${license}`));
  expect(missing).toEqual([]);
  expect([BUN, ...RUNTIME_PARTS].filter(({ name }) => !text.includes(`\n${name} `) && !text.includes(`\n${name}:`)))
    .toEqual([]);
  expect(text).toContain("GNU LIBRARY GENERAL PUBLIC LICENSE");
});

test("every library that this version of Bun names is listed", () => {
  // Versions of interfaces that Bun imitates, and of its tools; usockets is part of uwebsockets.
  const interfaces = ["node", "v8", "modules", "napi", "openssl", "typescript", "unicode", "usockets", "zig"];
  const listed = [BUN, ...RUNTIME_PARTS].map(({ versionKey }) => versionKey);
  const named = Object.keys(process.versions);
  expect(named.filter((name) => !interfaces.includes(name) && !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => name !== undefined && !named.includes(name))).toEqual([]);
});

describe("the bill of materials", () => {
  const executables = [{ name: "mkt-linux-x64", sha256: "0".repeat(64) }];
  const make = () => billOfMaterials({ packages, integrity: lockIntegrity(join(ROOT, "bun.lockb")), executables });
  const bill = make();

  test("fits the schema of CycloneDX 1.6", async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(JSON.stringify(bill))).toBeNull();
    expect(await validator.validate(JSON.stringify({ ...bill, components: [{ name: "untyped" }] }))).not.toBeNull();
  });

  test("has every package with its address, licence and hash, and Bun with its parts", () => {
    const byName = new Map(bill.components.map((component) => [component.name, component]));
    expect(packages.filter(({ name }) => !byName.has(name))).toEqual([]);
    const { version } = packages.find(({ name }) => name === "@azure/core-util") ?? { version: "" };
    expect(byName.get("@azure/core-util")).toMatchObject({
      purl: `pkg:npm/%40azure/core-util@${version}`,
      licenses: [{ license: { id: "MIT" } }],
      hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
    // The registry's file of a package whose code is inside another one was never here.
    const own = packages.filter(({ inside }) => inside === null).map(({ name, version }) => `${name}@${version}`);
    const unhashed = bill.components.filter(({ hashes }) => hashes === undefined);
    expect(unhashed.filter(({ name, version }) => own.includes(`${name}@${version}`))).toEqual([]);
    const bun = byName.get("bun");
    expect(bun?.version).toBe(Bun.version);
    expect(bun?.components?.map(({ name }) => name)).toEqual(expect.arrayContaining(["WebKit", "sqlite", "buffer"]));
  });

  test("is the same for the same contents, and has another serial number for others", () => {
    expect(make()).toEqual(bill);
    const other = billOfMaterials({ packages: packages.slice(1), integrity: new Map(), executables });
    expect(other.serialNumber).not.toBe(bill.serialNumber);
    expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

test("reads the hashes of the lockfile, of packages with and without a scope", () => {
  const entry = (heading: string, version: string, hash: string) =>
    `${heading}:\n  version "${version}"\n  resolved "https://example.com/x.tgz"\n  integrity sha512-${hash}\n  dependencies:\n    a "1"\n\n`;
  const text = entry('"@scope/a@^1.0.0", "@scope/a@^1.1.0"', "1.2.0", "AQI=") + entry("b@2.0.0", "2.0.0", "/w==");
  expect([...parsedIntegrity(text)]).toEqual([["@scope/a@1.2.0", "0102"], ["b@2.0.0", "ff"]]);
});
