// The views of tools: what clients are told of them, and the pages, which must need nothing but the chat host.

import { describe, expect, test } from "bun:test";
import type { Tool } from "../../core/tools/tool.ts";
import { viewPage } from "../../plugins/toolkit/view-resource.ts";
import { PACKS, TOOLS } from "./support/packs.ts";
import { ResourceClient } from "./support/resource-client.ts";

const TYPE = "text/html;profile=mcp-app";
const VIEWS = [
  ["mkt_get_order_book", "ui://mkt/order-book.html"],
  ["mkt_get_entity", "ui://mkt/positions.html"],
  ["mkt_sim_get_spot_prices", "ui://mkt/spot-prices.html"],
  ["mkt_sim_status", "ui://mkt/simulation.html"],
] as const;

const { client } = await ResourceClient.open();
const { tools } = await client.listTools();
const { resources } = await client.listResources();

async function contentOf(uri: string) {
  const { contents: [content] } = await client.readResource({ uri });
  if (content === undefined || !("text" in content)) throw new Error(`${uri} is no text`);
  return content;
}

test("tools name their views, and no other tool has a word about views", () => {
  const named = tools.flatMap(({ name, _meta: meta }) => meta === undefined ? [] : [[name, meta]]);
  expect(named.toSorted()).toEqual(VIEWS.map(([tool, resourceUri]) => [tool, { ui: { resourceUri } }]).toSorted());
});

test("a tool with a view only reads, because a view calls it again and again", () => {
  const withView = TOOLS.filter(({ view }: Tool) => view !== undefined);
  expect(withView.map(({ annotations }) => annotations.readOnlyHint)).toEqual(VIEWS.map(() => true));
});

test("a view belongs to the pack of its tool, so both are offered or none", () => {
  for (const { tools, resources } of PACKS) {
    const uris = resources.map(({ uri }) => uri);
    for (const { view } of tools) {
      if (view !== undefined) expect(uris).toContain(view);
    }
  }
});

describe.each(VIEWS)("the view of %s", (_, uri) => {
  test("is listed and read as a page that asks no host", async () => {
    const listed = resources.find((resource) => resource.uri === uri);
    const { text: _text, ...content } = await contentOf(uri);
    const told = {
      uri,
      mimeType: TYPE,
      _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
    };
    expect(listed).toMatchObject(told);
    expect(content).toEqual(told);
  });

  test("is one page that loads nothing", async () => {
    const { text } = await contentOf(uri);
    expect(text).toStartWith("<!doctype html>");
    expect(text).toContain(`<body data-view="${uri.replace(/^.*\/|\.html$/g, "")}">`);
    // The program itself has these texts in its strings, so only the tags of the page are read.
    const page = text.replace(/(<script[^>]*>).*?<\/script>/s, "$1").replace(/<style>.*?<\/style>/s, "<style>");
    expect(page.length).toBeLessThan(1_000);
    expect(page).not.toMatch(/\b(src|href|url)\b/);
    const style = /<style>(.*?)<\/style>/s.exec(text)?.[1];
    expect(style).not.toMatch(/@import|url\((?!"?data:)/);
  });

  test("has at most 650 kB, and 200 kB compressed", async () => {
    const bytes = Buffer.from((await contentOf(uri)).text);
    expect(bytes.length).toBeLessThan(650_000);
    expect(Bun.gzipSync(bytes).length).toBeLessThan(200_000);
  });
});

test("a program that writes tags can't end the element that it is in", () => {
  const files = { "views.js": 'x="</script><!--<script>"', "views.css": 'a{content:"</STYLE>"}' };
  const page = viewPage("positions", "Positions", files);
  expect(page).toContain('x="<\\/script><\\!--<script>"');
  expect(page).toContain('a{content:"<\\/STYLE>"}');
  expect(() => viewPage("positions", "Positions", {})).toThrow("the views are not built");
});
