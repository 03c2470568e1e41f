// How many entries a page of resources and a list of completions have, and whether they tell of more.

import { expect, test } from "bun:test";
import type { McpServer } from "@modelcontextprotocol/server";
import { ResourceCatalogue } from "../../../../../core/resources/resource-catalogue.ts";
import { defineResource } from "../../../../../core/resources/resource.ts";
import { serveCompletions } from "../../../../../core/server/sdk/handlers/completion-handler.ts";
import { resourcePage } from "../../../../../core/server/sdk/handlers/resource-list.ts";

const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);

test.each([[0, [0]], [1, [1]], [99, [99]], [100, [100]], [101, [100, 1]], [200, [100, 100]], [201, [100, 100, 1]]])(
  "%d resources are listed in pages of %p, each once, in order",
  (count, sizes) => {
    const list = () => names(count).map((id) => ({ parameters: { id }, title: id }));
    const parts = { name: "odd", uri: "odd://{id}", title: "t", description: "d", parameters: { id: null } };
    const catalogue = new ResourceCatalogue([defineResource({ ...parts, list, read: () => "" })]);
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = resourcePage(catalogue, () => ({}) as never, cursor);
      pages.push(page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined && pages.length < 9);
    expect(pages.map(({ length }) => length)).toEqual(sizes);
    expect(pages.flat()).toEqual(names(count).map((id) => `odd://${id}`));
  },
);

test.each([[0, 0, false], [100, 100, false], [101, 100, true], [250, 100, true]])(
  "of %d values a completion has %d, tells how many there are, and whether there are more: %p",
  async (count, shown, hasMore) => {
    const completed = async (values: readonly string[]) => {
      let handler!: (request: object, context: object) => Promise<unknown>;
      const server = { setRequestHandler: (_method: string, given: typeof handler) => void (handler = given) };
      const prompt = { name: "p", arguments: { a: { complete: () => values } } };
      const requests = { run: (_request: unknown, _scope: unknown, work: (call: object) => unknown) => work({}) };
      serveCompletions({ server } as unknown as McpServer, { prompts: { get: () => prompt }, requests } as never);
      const params = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } };
      return await handler({ params }, { mcpReq: { signal: new AbortController().signal } });
    };
    const values = names(count);
    const completion = { values: values.slice(0, shown), total: count, hasMore };
    expect(await completed(values)).toEqual({ completion });
    // What can't be shown as it is does not count.
    expect(await completed(["bad\n", ...values, "bad\u202e"])).toEqual({ completion });
  },
);
