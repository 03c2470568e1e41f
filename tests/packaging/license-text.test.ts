// The text of licences: each package once, with its own text or the standard one, and its copyright line.

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { licenseText } from "../../packaging/contents/license-text.ts";
import type { BundledPackage } from "../../packaging/contents/packages.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const root = temporaryDirectory();

function packageWith(
  name: string,
  files: Readonly<Record<string, string>>,
  more: { license?: string; inside?: string; author?: unknown } = {},
): BundledPackage {
  const { license = "MIT", inside = null, author } = more;
  const folder = join(root, name);
  mkdirSync(folder);
  for (const [path, text] of Object.entries({ ...files, "package.json": JSON.stringify({ name, author }) })) {
    writeFileSync(join(folder, path), text);
  }
  return { name, version: "1.0.0", license, inside, folder } as unknown as BundledPackage;
}
const THIN = "-".repeat(100);
const count = (text: string, part: string) => text.split(part).length - 1;

test("packages with the same text share it, and each is listed with its licence and the package that it is in", () => {
  const text = licenseText([
    packageWith("a", { LICENSE: "Do as you like." }),
    packageWith("b", { LICENSE: "Do as I like." }, { license: "ISC", inside: "a" }),
    packageWith("c", { LICENSE: "Do as you like.", NOTICE: "Noted." }),
    packageWith("d", { LICENSE: "Do as you like." }),
  ]);
  expect(text).toContain("\na 1.0.0: MIT\nb 1.0.0: ISC, in a\nc 1.0.0: MIT\nd 1.0.0: MIT\n");
  expect(text).toContain(`${THIN}\na 1.0.0\nd 1.0.0\n${THIN}\n\nDo as you like.\n`);
  expect(text).toContain(`${THIN}\nb 1.0.0\n${THIN}\n\nDo as I like.\n`);
  expect(count(text, "Do as I like.")).toBe(1);
});

test("a package without a text has the standard one, with the copyright line of its README or its author", () => {
  const notices = [
    [
      packageWith("e", { "README.md": "# E\n\n> Copyright (c) 2019 Erin\n" }, { author: "Other" }),
      "Copyright (c) 2019 Erin",
    ],
    [packageWith("f", { "README.md": "Copyright is kept.\n" }, { author: { name: "Fay" } }), "Copyright Fay"],
    [packageWith("g", {}, { author: "Gil" }), "Copyright Gil"],
    [packageWith("h", {}), "Copyright the authors of h"],
    [packageWith("i", {}, { license: "Apache-2.0", author: "Ida" }), "Copyright Ida"],
  ] as const;
  const text = licenseText(notices.map(([each]) => each));
  for (const [{ name, license }, notice] of notices) {
    const [own = ""] = text.split(`${THIN}\n${name} 1.0.0\n${THIN}\n\n`)[1]?.split(THIN) ?? [];
    expect(own).toContain(notice);
    expect(own).toContain(license === "MIT" ? "Permission is hereby granted" : "Apache License");
    expect(own.startsWith(`${notice}\n\n`)).toBe(license !== "MIT");
    expect(own).not.toContain("<copyright holders>");
  }
});

test("a licence without a text, and several without one, are refused", () => {
  const none = packageWith("j", {}, { license: "No-Such-1.0" });
  expect(() => licenseText([none])).toThrow("the SPDX list has no licence No-Such-1.0");
  const two = packageWith("k", {}, { license: "(MIT OR ISC)" });
  expect(() => licenseText([two])).toThrow("k has no text for (MIT OR ISC)");
});

test("the standard texts of Bun's parts come sorted, each once, and an exception is its address", () => {
  const headings = [...licenseText([]).matchAll(/^-{100}\n(.+)\n-{100}\n/gm)].map(([, heading]) => heading!);
  expect(headings.length).toBeGreaterThan(5);
  expect(headings).toEqual([...new Set(headings)].toSorted());
  const [exception = expect.unreachable()] = headings.filter((heading) => heading.endsWith("-exception"));
  expect(licenseText([])).toContain(`${THIN}\n${exception}\n${THIN}\n\nhttps://spdx.org/licenses/${exception}.html\n`);
});
