import { chromium, type Page } from "playwright-core";
const [only] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
async function open(url: string, width: number, scheme: string) {
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 800 : 720 },
    colorScheme: scheme as never,
  });
  const page = await context.newPage();
  page.on("console", (m) => console.log("console", m.type(), m.text(), m.location().url));
  page.on("pageerror", (e) => console.log("error", e.message));
  await page.goto(url);
  await page.waitForTimeout(1500);
  return page;
}
const shot = async (page: Page, name: string) => {
  console.log(name, await page.title(), await page.evaluate(() => document.documentElement.scrollWidth));
  await page.screenshot({ path: `/tmp/w/c/${name}.png` });
};
const B = "http://localhost:4230";
const steps: Record<string, () => Promise<void>> = {
  async search() {
    for (const [w, s] of [[1280, "light"], [390, "dark"]] as const) {
      const p = await open(B, w, s);
      await p.keyboard.press("/");
      await p.keyboard.type("north");
      await p.waitForTimeout(900);
      await p.keyboard.press("ArrowDown");
      await shot(p, `search-${w}`);
      await p.keyboard.press("Enter");
      await p.waitForTimeout(300);
      console.log(p.url());
    }
  },
  async about() {
    const p = await open(B, 1280, "dark");
    await p.keyboard.press("?");
    await p.waitForTimeout(300);
    await shot(p, "about");
  },
  async control() {
    for (const [w, s] of [[1280, "light"], [390, "dark"]] as const) {
      const p = await open(B + "/control#/operate", w, s);
      await shot(p, `gate-${w}`);
      await p.getByRole("button", { name: "Take control" }).click();
      await p.waitForTimeout(1200);
      await shot(p, `control-${w}`);
      await p.getByRole("button", { name: "Halt market" }).click();
      await p.waitForTimeout(600);
      await shot(p, `halt-${w}`);
      await p.getByRole("dialog").getByRole("button", { name: "Halt market" }).click();
      await p.waitForTimeout(1000);
      await shot(p, `halted-${w}`);
      await p.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
      await p.waitForTimeout(300);
      await shot(p, `halted2-${w}`);
      await p.getByRole("button", { name: "Resume market" }).click();
      await p.waitForTimeout(300);
      await shot(p, `resume-${w}`);
      await p.getByRole("dialog").getByRole("button", { name: "Resume market" }).click();
      await p.waitForTimeout(800);
    }
  },
};
for (const [name, run] of Object.entries(steps)) if (!only || only.split(",").includes(name)) await run();
await browser.close();
