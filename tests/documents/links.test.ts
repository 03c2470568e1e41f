// Every link between the documents leads to a file, a folder or a heading that exists. Addresses elsewhere are not followed.

import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");
const FOLDERS = ["", "docs", "docs/*", "bench", "deploy/*", "packaging", ".github"];

const documents = new Map<string, string>();
for (const folder of FOLDERS) {
  for (const path of new Bun.Glob(join(folder, "*.md")).scanSync({ cwd: ROOT, dot: true })) {
    documents.set(path, withoutCode(await Bun.file(join(ROOT, path)).text()));
  }
}

interface Link {
  /** Relative to the repository. */
  readonly from: string;
  /** What is written between the brackets, with the anchor. */
  readonly target: string;
  readonly file: string;
  readonly anchor: string | null;
}

const links = [...documents].flatMap(([from, text]) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target)
    .filter((target) => !/^[a-z+]+:/i.test(target))
    .map((target): Link => {
      const [path = "", anchor = null] = target.split("#");
      return { from, target, file: path === "" ? from : join(dirname(from), path), anchor };
    })
);

describe("the links of the documents", () => {
  test("are found", () => {
    expect(documents.size).toBeGreaterThan(20);
    expect(links.length).toBeGreaterThan(150);
    expect(links.filter(({ anchor }) => anchor !== null).length).toBeGreaterThan(30);
  });

  test("lead to files and folders of the repository", () => {
    const broken = links.filter(({ file }) => file.startsWith("..") || !existsSync(join(ROOT, file)));
    expect(broken.map(({ from, target }) => `${from}: ${target}`)).toEqual([]);
  });

  test("lead to headings", async () => {
    const broken: string[] = [];
    for (const { from, target, file, anchor } of links) {
      if (anchor === null || !existsSync(join(ROOT, file)) || statSync(join(ROOT, file)).isDirectory()) continue;
      const text = documents.get(file) ?? withoutCode(await Bun.file(join(ROOT, file)).text());
      if (!anchorsOf(text).has(anchor)) broken.push(`${from}: ${target}`);
    }
    expect(broken).toEqual([]);
  });

  test.each(["docs", "docs/decisions"])("name every page of %s in its index", (folder) => {
    const listed = new Set(links.filter(({ from }) => from === `${folder}/README.md`).map(({ file }) => file));
    const pages = [...documents.keys()].filter((path) => dirname(path) === folder && basename(path) !== "README.md");
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.filter((page) => !listed.has(page))).toEqual([]);
  });
});

test("an anchor is made of a heading as forges make it", () => {
  const text =
    "# The backend's protocol\n\n## `mkt call`, and *more*\n\n## Limits\n\n### Limits\n\n## A [link](x.md) here\n";
  expect([...anchorsOf(text)].join(" ")).toBe("the-backends-protocol mkt-call-and-more limits limits-1 a-link-here");
});

/** Code may look like a link. */
function withoutCode(text: string): string {
  return text.replace(/^```[^]*?^```/gm, "");
}

/** The anchors of the headings: lower case, without punctuation, spaces as dashes; a second one of a name gets a number. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.matchAll(/^#{1,6} (.*)$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim().toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}
