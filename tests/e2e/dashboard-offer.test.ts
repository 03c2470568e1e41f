// When the dashboard is offered, and what it weighs.

import { describe, expect, test } from "bun:test";
import { NO_BACKEND } from "../support/http-requests.ts";
import { clientHere, httpServerHere } from "../support/in-process.ts";

/** Bytes of the first load, compressed. */
const MAX_WEIGHT = 200_000;

describe("the dashboard", () => {
  test.each([
    ["MKT_DASHBOARD=0", { MKT_DASHBOARD: "0" }],
    ["MKT_PACKS that leaves it out", { MKT_PACKS: "query,monitor" }],
  ])("is not there with %s", async (_name, env) => {
    const server = await httpServerHere({ ...NO_BACKEND, ...env });
    for (const path of ["/", "/control", "/assets/dashboard.js", "/dashboard/stream", "/dashboard/session"]) {
      expect((await fetch(`${server.url}${path}`)).status).toBe(404);
    }
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  test("changes nothing for a client on stdio", async () => {
    const [without, beside] = await Promise.all(
      ["0", "1"].map(async (MKT_DASHBOARD) => await (await clientHere({ ...NO_BACKEND, MKT_DASHBOARD })).listTools()),
    );
    expect(beside).toEqual(without!);
  });

  test("weighs at most 200 kB at the first load", async () => {
    const server = await httpServerHere(NO_BACKEND);
    const weightOf = async (path: string) => {
      const answer = await fetch(`${server.url}${path}`, { headers: { "Accept-Encoding": "gzip" }, decompress: false });
      expect(answer.status).toBe(200);
      return (await answer.arrayBuffer()).byteLength;
    };
    const page = await (await fetch(server.url)).text();
    const assets = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(assets).toContain("/assets/dashboard.js");
    const weights = await Promise.all(["/", ...assets].map(weightOf));
    const total = weights.reduce((sum, bytes) => sum + bytes, 0);
    expect(total).toBeLessThan(MAX_WEIGHT);
  });
});
