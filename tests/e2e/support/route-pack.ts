// A pack with routes, as MKT_PLUGIN_DIR loads it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const PACK = `
const json = (value, headers) => Response.json(value, { headers });
const read = (path, handler, more) => ({ method: "GET", path, description: "d", readOnlyHint: true, handler, ...more });

export default (mkt) => mkt.definePack({
  name: "acme",
  description: "d",
  routes: [
    read("/acme/zones/:zone", ({ parameters, url, headers }) => json({
      zone: parameters.zone,
      wide: url.searchParams.get("wide"),
      token: headers.get("Authorization"),
      cookie: headers.get("Cookie"),
    })),
    read("/acme/files/*", ({ parameters }) => json(parameters["*"])),
    read("/acme/headers", () => json(1, {
      "Set-Cookie": "a=b",
      "X-Frame-Options": "ALLOWALL",
      "X-Content-Type-Options": "",
      "Access-Control-Allow-Origin": "*",
      "Content-Security-Policy": "script-src 'self' 'unsafe-inline'; frame-ancestors *",
      "Cache-Control": "max-age=60",
      "Content-Length": "7",
      "X-Acme": "own",
    })),
    read("/acme/market", () => json(1), { requires: { connection: "read" } }),
    read("/acme/refused", () => { throw new mkt.ToolError("rejected", "The text was no\\u202e.", "Try another."); }),
    read("/acme/busy", () => { throw new mkt.ToolError("rate_limited", "Too much.", "Wait."); }),
    read("/acme/broken", () => { throw new Error("inside"); }),
    read("/acme/nothing", () => undefined),
    read("/acme/missing", () => new Response("no", { status: 404 })),
    read("/acme/live", (_, context) => {
      context.signal.addEventListener("abort", () => context.log.error("live has ended"));
      return mkt.eventStream((async function* () {
        for (let count = 0; ; count++) {
          yield { event: "count", data: { count, note: "a\\u202eb" } };
          if (count === 1) await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
          if (context.signal.aborted) return;
        }
      })());
    }),
    read("/acme/flood", (_, context) => {
      let parts = 0;
      context.signal.addEventListener("abort", () => context.log.error("flood: " + parts + " parts"));
      const pull = (controller) => { parts += 1; controller.enqueue(new Uint8Array(65536).fill(65)); };
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
    }),
    read("/acme/breaks", () => new Response(new ReadableStream({
      async pull(controller) {
        controller.enqueue("begin");
        await new Promise((resolve) => setTimeout(resolve, 1));
        controller.error(new Error("inside"));
      },
    }))),
    { method: "POST", path: "/acme/echo", description: "d", readOnlyHint: true,
      handler: (request) => json({ json: request.json(), text: request.text(), length: request.bytes().length }) },
    { method: "POST", path: "/acme/change", description: "d", readOnlyHint: false, handler: () => json("changed") },
    { method: "GET", path: "/acme/page", description: "d",
      publicFile: { content: "<title>acme</title>", contentType: "text/html; charset=utf-8" } },
    { method: "GET", path: "/acme/large", description: "d",
      publicFile: { content: "x".repeat(3_000_000), contentType: "text/plain" } },
  ],
});
`;

/** The path of a folder with the pack. */
export function routePack(): string {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, "acme.ts"), PACK);
  return folder;
}
