import { expect, test } from "bun:test";
import { FixedResults } from "../../../../core/server/plain/fixed-results.ts";

/** Answers like the SDK in one era, and counts how often it is asked. */
function sdk(responses: readonly Response[]) {
  const asked: unknown[] = [];
  const fixed = new FixedResults((request, body) => {
    asked.push({ version: request.headers.get("MCP-Protocol-Version"), body });
    return Promise.resolve(responses[asked.length - 1]!);
  });
  return { fixed, asked };
}

const json = (text: string, status = 200) => new Response(text, { status });

test("the SDK makes each result once, and every request gets its text", async () => {
  const { fixed, asked } = sdk([
    json('event: message\ndata: {"result":{"tools":[{"a":1}]},"jsonrpc":"2.0","id":0}\n\n'),
    json('{"result":{"tools":[],"ttlMs":0},"jsonrpc":"2.0","id":0}'),
  ]);
  const results = await Promise.all([fixed.get("legacy", "tools/list"), fixed.get("legacy", "tools/list")]);
  expect(results).toEqual(['{"tools":[{"a":1}]}', '{"tools":[{"a":1}]}']);
  expect(await fixed.get("modern", "tools/list")).toBe('{"tools":[],"ttlMs":0}');
  expect(asked).toMatchObject([{ version: null, body: { method: "tools/list" } }, { version: "2026-07-28" }]);
});

test("each method of each era has a result of its own, which is asked for as that era asks", async () => {
  const asked: unknown[] = [];
  const fixed = new FixedResults((request, body) => {
    const { method, params } = body as { method: string; params?: { _meta: Record<string, unknown> } };
    const [version, name] = ["MCP-Protocol-Version", "Mcp-Method"].map((header) => request.headers.get(header));
    asked.push([method, version, name, params?._meta["io.modelcontextprotocol/protocolVersion"] ?? null]);
    return Promise.resolve(json(`{"result":${asked.length},"jsonrpc":"2.0","id":0}`));
  });
  const all = [["legacy", "tools/list"], ["legacy", "ping"], ["modern", "tools/list"], ["modern", "server/discover"]];
  for (let round = 0; round < 2; round++) {
    const results = await Promise.all(all.map(([era, method]) => fixed.get(era as "legacy", method as "ping")));
    expect(results).toEqual(["1", "2", "3", "4"]);
  }
  const modern = "2026-07-28";
  expect(asked).toEqual([
    ["tools/list", null, null, null],
    ["ping", null, null, null],
    ["tools/list", modern, "tools/list", modern],
    ["server/discover", modern, "server/discover", modern],
  ]);
});

test("a question that fails is not kept, so the next request asks again", async () => {
  const answers = [Promise.reject(new Error("broken")), Promise.resolve(json('{"result":{},"jsonrpc":"2.0","id":0}'))];
  const fixed = new FixedResults(() => answers.shift()!);
  await expect(fixed.get("legacy", "ping")).rejects.toThrow("broken");
  expect(await fixed.get("legacy", "ping")).toBe("{}");
});

test("an error is not kept: the SDK answers that request, and is asked again for the next one", async () => {
  const { fixed, asked } = sdk([
    json('{"jsonrpc":"2.0","error":{"code":-32603,"message":"m"},"id":0}', 500),
    json('{"result":{},"jsonrpc":"2.0","id":0}'),
  ]);
  expect(await fixed.get("legacy", "ping")).toBeNull();
  expect(await fixed.get("legacy", "ping")).toBe("{}");
  expect(asked).toHaveLength(2);
});
