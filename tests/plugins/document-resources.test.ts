// The documents as resources: complete, without a link that leads nowhere, and only loaded when they are read.

import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { forReader } from "../../plugins/query/document-resources.ts";
import { ResourceClient } from "./support/resource-client.ts";

const ROOT = resolve(import.meta.dir, "../..");
const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;
const sourceOf = (path: string) => Bun.file(resolve(ROOT, path)).text();
const withoutLinks = (text: string) => text.replace(LINK, "$1");

/** As a viewer of Markdown makes them. */
function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")),
  );
}

const DOCUMENTS = [["mkt://protocol", "docs/backend-protocol.md"], [
  "mkt://market-rules",
  "docs/market-rules.md",
]] as const;
const client = await ResourceClient.open();

describe("documents", () => {
  test.each(DOCUMENTS)("%s is %s, apart from links", async (uri, path) => {
    const { text, mimeType } = await client.text(uri);
    expect(mimeType).toBe("text/markdown");
    expect(withoutLinks(text)).toBe(withoutLinks(await sourceOf(path)));
    expect(Buffer.byteLength(text)).toBeWithin(20_000, 60_000);
  });

  test("every link leads to a resource, or to a heading that is there", async () => {
    const texts = new Map<string, string>();
    for (const [uri] of DOCUMENTS) texts.set(uri, (await client.text(uri)).text);
    const broken: string[] = [];
    let links = 0;
    for (const [uri, text] of texts) {
      for (const [link, , target = ""] of text.matchAll(LINK)) {
        links += 1;
        const [page, anchor] = target.split("#") as [string, string?];
        const document = texts.get(page === "" ? uri : page);
        const isThere = document !== undefined && (anchor === undefined || anchorsOf(document).has(anchor));
        if (!isThere && target !== "mkt://protocol-schema" && !target.startsWith("https://")) {
          broken.push(`${uri}: ${link}`);
        }
      }
    }
    expect(broken).toEqual([]);
    expect(links).toBeGreaterThan(30);
  });

  test("mkt://protocol-schema is the JSON Schema of the document", async () => {
    const { text, mimeType } = await client.text("mkt://protocol-schema");
    expect(mimeType).toBe("application/schema+json");
    expect(text).toBe(await sourceOf("docs/backend-protocol.schema.json"));
    expect(Buffer.byteLength(text)).toBeLessThan(200_000);
  });

  test("a link becomes one to a resource, or its text", () => {
    expect(
      forReader("[a](market-rules.md#units), [b](#b), [c](https://x.test/c.md), [d](configuration.md), ![e](e.svg)"),
    )
      .toBe("[a](mkt://market-rules#units), [b](#b), [c](https://x.test/c.md), d, e");
    expect(forReader("[f](backend-protocol.schema.json) and [g](toString)")).toBe("[f](mkt://protocol-schema) and g");
  });
});
