// The page's files: which of them belong to looking, to control and to a halt, and what a browser may do with them.

import { describe, expect, test } from "bun:test";
import { pageFiles } from "../../../plugins/dashboard/page.ts";

const fileAt = (path: string) => pageFiles.find((file) => file.path === path)!.publicFile!;
const textAt = (path: string) => fileAt(path).content as string;

describe("the page", () => {
  test.each([["/", "view"], ["/control", "control"]])("at %s has the icon, script and style of %s", (path, name) => {
    const { contentType, contentSecurityPolicy = "" } = fileAt(path);
    expect(contentType).toBe("text/html; charset=utf-8");
    expect(textAt(path).match(/(?:href|src)="[^"]*"/g)).toEqual([
      `href="/assets/icon-${name}.svg"`,
      'href="/assets/dashboard.css"',
      'src="/assets/dashboard.js"',
    ]);
    const allowed = Object.fromEntries(
      contentSecurityPolicy.split("; ").map((part) => [part.split(" ")[0]!, part.slice(part.indexOf(" ") + 1)]),
    );
    expect(allowed).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self' data:",
      "connect-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
    });
  });

  test("has a worker that may ask its own server, and nothing else", () => {
    const { contentType, contentSecurityPolicy } = fileAt("/assets/dashboard-stream.js");
    expect([contentType, contentSecurityPolicy]).toEqual([
      "text/javascript; charset=utf-8",
      "default-src 'none'; connect-src 'self'",
    ]);
  });

  test("has a line of prices on grounds of two colours, and a square on a third if the market is halted", () => {
    const icons = ["view", "control", "halted"].map((name) => textAt(`/assets/icon-${name}.svg`));
    expect(icons.map((icon) => [icon.includes("<path"), icon.includes('<rect x="9"')])).toEqual([
      [true, false],
      [true, false],
      [false, true],
    ]);
    expect(new Set(icons.map((icon) => / fill="(#[0-9a-f]+)"/.exec(icon)![1])).size).toBe(3);
  });

  test("has files that browsers keep and ask for each time, each of its type", () => {
    const types = Object.fromEntries(pageFiles.map(({ path, publicFile }) => [path, publicFile!.contentType]));
    expect(types).toMatchObject({
      "/assets/dashboard.js": "text/javascript; charset=utf-8",
      "/assets/dashboard.css": "text/css; charset=utf-8",
      "/assets/icon-halted.svg": "image/svg+xml",
    });
    expect(new Set(pageFiles.map(({ publicFile }) => publicFile!.cacheControl))).toEqual(new Set(["no-cache"]));
  });
});
