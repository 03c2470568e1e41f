// A file that a command makes: tried before the work, written after it, never in the place of another, and never in part.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { html, raw } from "../../../sim/report/markup.ts";
import { NewFile } from "../../../sim/report/new-file.ts";
import { sectionOf, wholePage } from "../../../sim/report/page-frame.ts";
import { OutputFile } from "../../../sim/tape/output-file.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const directory = temporaryDirectory();

test("a new file is there once the work is finished, and not before", () => {
  const path = join(directory, "one.html");
  const file = new NewFile(path, "--page");
  expect(existsSync(path)).toBe(false);
  file.finish("<p>é");
  expect(readFileSync(path, "utf8")).toBe("<p>é");
});

test("a new file never replaces another, also one that came meanwhile", () => {
  const path = join(directory, "two.html");
  const file = new NewFile(path, "--page");
  writeFileSync(path, "kept");
  const message = `--page: ${path} exists already: choose another name`;
  expect(() => file.finish("lost")).toThrow(message);
  expect(() => new NewFile(path, "--page")).toThrow(message);
  expect(readFileSync(path, "utf8")).toBe("kept");
  const folder = join(directory, "folder");
  mkdirSync(folder);
  expect(() => new NewFile(folder, "--svg")).toThrow(`--svg: ${folder} exists already`);
  const nowhere = join(directory, "none", "x");
  expect(() => new NewFile(nowhere, "--svg")).toThrow(`--svg: ${nowhere} can't be written: no such file or folder`);
});

test("a file that the disk refuses leaves nothing", () => {
  const path = join(directory, "three.html");
  const file = new NewFile(path, "--page");
  replaced(OutputFile.prototype, "write", () => {
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
  expect(() => file.finish("text")).toThrow(`--page: ${path} can't be written: `);
  expect(existsSync(path)).toBe(false);
});

test("what is filled into a page is text, unless it is markup, and line breaks between tags are left out", () => {
  const name = `<b>"&'`;
  expect(html`<p>${name}${[raw("<i>"), 5, ["x", html`<u>`]]}</p>`.text).toBe(
    "<p>&lt;b&gt;&quot;&amp;&#39;<i>5x<u></p>",
  );
  expect(
    html`
      <div>
        <p>one
        two <a>three</a>
        four</p>
      </div>
    `.text,
  ).toBe("<div><p>one two <a>three</a> four</p></div>");
});

test("a page needs nothing else, and its policy allows its own style alone", () => {
  const page = wholePage("a & b", sectionOf("part", "Part <1>", html`<p>x</p>`));
  const [, style] = /<style>(.*)<\/style>/s.exec(page)!;
  const hash = new Bun.CryptoHasher("sha256").update(style!).digest("base64");
  expect(page).toStartWith('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8" />');
  expect(page).toContain(
    `default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;`,
  );
  expect(page).toContain("<title>a &amp; b</title>");
  expect(page).toContain(
    '<section id="part" aria-labelledby="part-title"><h2 id="part-title">Part &lt;1&gt;</h2><p>x</p></section>',
  );
});
