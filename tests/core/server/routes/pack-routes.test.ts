// How long a connection may be silent while a route answers, and afterwards.

import { expect, test } from "bun:test";
import { definePack } from "../../../../core/packs/pack.ts";
import type { HandledRoute } from "../../../../core/routes/route.ts";
import { mcpApp } from "../../../../core/server/mcp-app.ts";
import { failing, testRoute } from "../../support/declarations.ts";
import { httpParts } from "../../support/http-parts.ts";

const [SHORT, LONG] = [10, 255];

/** `answered` resolves once the route's answer has begun. */
type Give = (answered: Promise<void>) => Response;

/** Asks a route, reads the answer, and says which limits its connection got until the answer began, and until its end. */
async function limitsOf(give: Give, further: Partial<HandledRoute> = {}, method = "GET") {
  const { promise, resolve } = Promise.withResolvers<void>();
  const routes = [testRoute("/acme", () => give(promise), further)];
  const packs = [definePack({ name: "acme", description: "d", routes })];
  const sdk = () => Promise.reject(new Error("not asked"));
  const app = mcpApp({ ...httpParts({ packs }), plain: null, sdk });
  const limits: number[] = [];
  const connection = { address: "::1", setIdleTimeout: (seconds: number) => void limits.push(seconds) };
  const request = new Request("http://localhost/acme", { method, headers: { Host: "localhost" } });
  const response = await app.fetch(request, connection);
  const begun = [...limits];
  resolve();
  await response.text();
  return { status: response.status, begun, ended: limits };
}

/** A stream that does not end before the answer has begun. */
function stream(answered: Promise<void>): Response {
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    controller.enqueue(new TextEncoder().encode("one"));
    await answered;
    controller.close();
  };
  return new Response(new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 }));
}

test.each(
  [
    ["gives a whole answer", () => Response.json("acme"), "GET", 200],
    ["gives an empty answer", () => new Response(null, { status: 204 }), "GET", 204],
    ["gives no response", () => "acme" as never, "GET", 500],
    ["fails", failing(new Error("inside")), "GET", 500],
    ["is asked for the head of a stream", stream, "HEAD", 200],
  ] as const,
)("a route that %s has long for it, and its connection as long as others afterwards", async (_, ...given) => {
  const [give, method, status] = given;
  const limits = [LONG, SHORT];
  expect(await limitsOf(give, {}, method)).toEqual({ status, begun: limits, ended: limits });
});

test("a stream of a route has long until it ends", async () => {
  expect(await limitsOf(stream)).toEqual({ status: 200, begun: [LONG], ended: [LONG, SHORT] });
});

test("a route that is refused leaves its connection as long as others have", async () => {
  const { status, ended } = await limitsOf(stream, { requires: { connection: "session" } });
  expect([status, ended]).toEqual([503, [LONG, SHORT]]);
});
