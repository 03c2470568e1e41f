// When the dashboard is offered, what it weighs, and that a read-only server offers no control.

import { describe, expect, test } from "bun:test";
import { findChromium, startChromium } from "../support/chromium.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { clientHere, httpServerHere } from "../support/in-process.ts";
import { startPowerMarket } from "../support/power-market.ts";

/** Bytes of the first load, compressed. */
const MAX_WEIGHT = 250_000;

const path = findChromium("the tests of what the dashboard offers");
const chromium = path === null ? null : await startChromium(path);

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

  test("weighs at most 250 kB at the first load", async () => {
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

  if (chromium === null) return;

  test("offers no control on a read-only server", async () => {
    const engine = await startPowerMarket();
    const server = await httpServerHere({ ...engine.environmentFor("operator"), MKT_READ_ONLY: "1" });
    const { page } = await chromium.open(server.url);
    await page.getByRole("status", { name: "Market status" }).waitFor();
    expect(await page.getByRole("button", { name: "Control" }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Operate" }).count()).toBe(0);
    await page.goto(`${server.url}/control`);
    await page.getByText("This server is read-only").waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
  });
});
