import { expect, test } from "bun:test";
import { atEnd } from "./at-end.ts";
import { findChromium, startChromium } from "./chromium.ts";
import { LONG } from "./sizes.ts";
import { until } from "./until.ts";

const path = LONG ? findChromium("the tests of the browser") : null;
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
  const remembers = "document.title = document.cookie; document.cookie = 'a=b';";

  test("a page has its faults: what it logs, exceptions, answers that are errors, and requests to other hosts", async () => {
    const faults: [script: string, fault: RegExp][] = [
      ["console.error('logged')", /^console: logged/],
      ["setTimeout(() => { throw new Error('thrown') })", /^exception: .*thrown/],
      ["Promise.reject(new Error('unhandled'))", /^exception: .*unhandled/],
      ["fetch('/missing')", /^console: .*500.*missing/],
      ["fetch('http://localhost:9/x').catch(() => {})", /^another host: GET http:\/\/localhost/],
    ];
    const watched = await chromium.open(serve(`${remembers} ${faults.map(([script]) => script).join("; ")}`));
    for (const [, fault] of faults) {
      await until(() => watched.faults.some((each) => fault.test(each)), String(fault));
      watched.expect(fault);
    }
    watched.expect(/ERR_UNSAFE_PORT/);
    await watched.page.reload();
    expect(await watched.page.title()).toBe("a=b");
  });

  test("a page without a fault has none, and keeps nothing of the page before", async () => {
    const { page, faults } = await chromium.open(serve(remembers));
    expect(await page.title()).toBe("");
    expect(faults).toEqual([]);
  });
}
