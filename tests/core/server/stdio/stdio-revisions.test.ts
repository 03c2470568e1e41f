// Which requests on stdio are refused because of the revision that they name, and which reach the SDK.

import { expect, test } from "bun:test";
import { checkRevisions } from "../../../../core/server/stdio/stdio-revisions.ts";

const KEY = "io.modelcontextprotocol/protocolVersion";
const MODERN = "2026-07-28";

const request = (id: number, revision?: string) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/list",
  params: revision === undefined ? {} : { _meta: { [KEY]: revision } },
});
const INITIALIZE = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } };
const notification = (revision: string) => ({ jsonrpc: "2.0", method: "odd", params: { _meta: { [KEY]: revision } } });
const RESPONSE = { jsonrpc: "2.0", id: 9, result: {} };

/** `sdk` or `refused` for each message. */
function pathsOf(messages: readonly object[]): string[] {
  const paths: string[] = [];
  const transport = {
    onmessage: () => void paths.push("sdk"),
    send: (message: { readonly error?: { readonly code: number; readonly data: object } }) => {
      expect(message.error).toMatchObject({ code: -32022, data: { supported: [MODERN] } });
      return Promise.resolve(void paths.push("refused"));
    },
  };
  checkRevisions(transport as never);
  for (const message of messages) transport.onmessage(...[message] as unknown as []);
  return paths;
}

test.each<[string, object[], string[]]>([
  ["the first request of any revision is the SDK's to judge", [request(1, "2030-01-01")], ["sdk"]],
  ["later ones of the same revision", [request(1, MODERN), request(2, MODERN)], ["sdk", "sdk"]],
  ["later ones of another revision", [request(1, MODERN), request(2, "2025-11-25"), request(3, MODERN)], [
    ...["sdk", "refused", "sdk"],
  ]],
  ["a request without a revision", [request(1, MODERN), request(2)], ["sdk", "sdk"]],
  ["a client that began with an older protocol stays with it", [INITIALIZE, request(1, MODERN), request(2, "odd")], [
    ...["sdk", "sdk", "sdk"],
  ]],
  ["a client that goes back to an older protocol", [request(1, MODERN), INITIALIZE, request(2, "odd")], [
    ...["sdk", "sdk", "sdk"],
  ]],
  ["what is no request", [request(1, MODERN), notification("odd"), RESPONSE], ["sdk", "sdk", "sdk"]],
])("%s", (_what, messages, expected) => {
  expect(pathsOf(messages)).toEqual(expected);
});
