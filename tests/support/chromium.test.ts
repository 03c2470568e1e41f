import { expect, test } from "bun:test";
import { atEnd } from "./at-end.ts";
import { findChromium, startChromium } from "./chromium.ts";
import { until } from "./until.ts";

const path = findChromium("the tests of the browser");
const chromium = path === null ? null : await startChromium(path);

function serve(script: string): string {
  const html = `<!doctype html><link rel="icon" href="data:,"><script>${script}</script>`;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) =>
      new URL(url).pathname === "/"
        ? new Response(html, { headers: { "Content-Type": "text/html" } })
        : new Response("", { status: 500 }),
  });
  atEnd(() => server.stop(true));
  return server.url.href;
}

if (chromium !== null) {
  const elsewhere = "fetch('http://localhost:9/x').catch(() => {})";
  test.each([
    ["an error that it logs", "console.error('broken')", /^console: broken/],
    ["an exception", "throw new Error('broken')", /^exception: .*broken/],
    ["a promise that nobody handles", "Promise.reject(new Error('broken'))", /^exception: .*broken/],
    ["an answer that is an error", "fetch('/missing')", /^console: .*500.*missing/],
    ["a request to another host", elsewhere, /^another host: GET http:\/\/localhost/],
  ])("a page has the fault of %s", async (_, script, fault) => {
    const watched = await chromium.open(serve(script));
    await until(() => watched.faults.some((each) => fault.test(each)));
    watched.expect(fault);
    watched.expect(/ERR_UNSAFE_PORT/);
  });

  test("a page without a fault has none, and keeps nothing of the page before", async () => {
    const url = serve("document.title = document.cookie; document.cookie = 'a=b'");
    const { page } = await chromium.open(url);
    await page.reload();
    expect(await page.title()).toBe("a=b");
    const other = await chromium.open(url);
    expect(await other.page.title()).toBe("");
  });
}
