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

test("an error is not kept: the SDK answers that request, and is asked again for the next one", async () => {
  const { fixed, asked } = sdk([
    json('{"jsonrpc":"2.0","error":{"code":-32603,"message":"m"},"id":0}', 500),
    json('{"result":{},"jsonrpc":"2.0","id":0}'),
  ]);
  expect(await fixed.get("legacy", "ping")).toBeNull();
  expect(await fixed.get("legacy", "ping")).toBe("{}");
  expect(asked).toHaveLength(2);
});
