// What subscriptions/listen over HTTP leaves open.

import { expect, test } from "bun:test";
import { logger } from "../../../../../common/logger.ts";
import { sdkHandler } from "../../../../../core/server/sdk/sdk-answer.ts";
import { modernHeaders, modernMeta } from "../../../../support/raw-request.ts";
import { until } from "../../../../support/until.ts";
import { openWorld } from "../../two-paths/world.ts";

const LISTEN = "subscriptions/listen";
const text = new TextDecoder();

interface Given {
  readonly method?: string;
  readonly isAccepted?: () => boolean;
  readonly signal?: AbortSignal;
}

const world = await openWorld({ environment: {} }, true);
await world.settle();
const { factory, offers } = world.serving;
const sdk = sdkHandler({ factory, offers, log: logger("test") });

function listen(notifications: object, { method = LISTEN, isAccepted = () => true, signal }: Given = {}) {
  const headers = modernHeaders(method, "");
  const request = new Request("http://localhost/mcp", { method: "POST", headers, ...(signal && { signal }) });
  const parsedBody = { jsonrpc: "2.0", id: 7, method: LISTEN, params: { notifications, _meta: modernMeta() } };
  const exchange = { caller: null, client: "token desk", isAccepted, freeSlot: () => {} };
  return sdk.answer(request, { parsedBody, exchange });
}

const left = () => ({ count: sdk.subscriptions.count, unread: sdk.unreadStreams });
const NOTHING = { count: 0, unread: 0 };

test("a request whose headers don't fit its body is refused, and leaves nothing open", async () => {
  const response = await listen({ resourcesListChanged: true }, { method: "tools/list" });
  expect([response.status, await response.json()]).toMatchObject([400, { error: { code: expect.any(Number) } }]);
  expect(left()).toEqual(NOTHING);
});

test("a request whose token was revoked meanwhile is refused, and leaves nothing open", async () => {
  const response = await listen({ resourcesListChanged: true }, { isAccepted: () => false });
  expect(await response.json()).toMatchObject({ id: 7, error: { data: { code: "forbidden" } } });
  expect(left()).toEqual(NOTHING);
});

test("a request that names too many resources is refused, even if there are none of them, and leaves nothing open", async () => {
  const uris = Array.from({ length: 201 }, (_, at) => `mkt://order-book/none-${at}`);
  const response = await listen({ resourceSubscriptions: uris });
  expect(await response.json()).toMatchObject({ id: 7, error: { data: { code: "limit_exceeded" } } });
  expect(left()).toEqual(NOTHING);
  const [first = expect.unreachable()] = uris;
  const repeated = await listen({ resourceSubscriptions: Array.from({ length: 201 }, () => first) });
  expect(await repeated.text()).toContain("notifications/subscriptions/acknowledged");
});

test("a client that closes its stream leaves nothing open", async () => {
  const reader = (await listen({ resourcesListChanged: true })).body!.getReader();
  expect(text.decode((await reader.read()).value)).toContain("notifications/subscriptions/acknowledged");
  expect(left()).toEqual({ count: 1, unread: 1 });
  await reader.cancel();
  expect(left()).toEqual(NOTHING);
});

test("a client that goes away before it has read anything has no subscription, and its stream ends", async () => {
  const client = new AbortController();
  const response = await listen({ resourcesListChanged: true }, { signal: client.signal });
  client.abort();
  await until(() => left().count === 0, "the end of the subscription");
  await response.text();
  expect(left()).toEqual(NOTHING);
});

test("a subscription of which nothing is honoured is acknowledged and ends", async () => {
  const response = await listen({ toolsListChanged: true });
  const answer = await response.text();
  expect(answer).toContain("notifications/subscriptions/acknowledged");
  expect(answer).toContain('"resultType":"complete"');
  expect(left()).toEqual(NOTHING);
});
