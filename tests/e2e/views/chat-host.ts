// A chat host, for tests: a page in a real browser that shows the views of a server, and the client through which they call its
// tools. It shows one view at a time, each in the page loaded anew: another page would cost half a second of processor time.

import { expect } from "bun:test";
import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps";
import type { Frame, Page } from "playwright-core";
import { atEnd } from "../../support/at-end.ts";
import type { Chromium, WatchedPage } from "../../support/chromium.ts";
import type { Opening } from "./host-page.ts";

/** What a host must use for a view that names no domain, in the extension's specification. */
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "connect-src 'none'; img-src 'self' data:; font-src 'self'; media-src 'self' data:; frame-src 'none'; object-src 'none'; " +
  "base-uri 'self'";

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>A chat</title>
<link rel="icon" href="data:,">
<style>body { margin: 0 } iframe { display: block; width: 100%; border: 0 }</style>
</head>
<body><iframe title="The view" sandbox="allow-scripts"></iframe><script type="module" src="/host.js"></script></body>
</html>`;

export interface OpenedInHost {
  readonly page: Page;
  readonly frame: Frame;
  /** The arguments with which the view has called its own tool, in order. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[];
  /** Tells the view of another theme, for example. */
  change(context: McpUiHostContext): Promise<void>;
  close(): Promise<void>;
}

export interface HowToOpen {
  readonly context?: McpUiHostContext;
  readonly passesCallsOn?: boolean;
  /** Instead of the client's calls. */
  readonly callTool?: (name: string, input: Record<string, unknown>) => Promise<CallToolResult>;
}

type CallTool = NonNullable<HowToOpen["callTool"]>;

export class ChatHost {
  /** Of the view that is shown. */
  #callTool: CallTool = () => Promise.reject(new Error("no view is open"));

  private constructor(private readonly url: string, private readonly watched: WatchedPage) {}

  static async start(chromium: Chromium): Promise<ChatHost> {
    const { outputs } = await Bun.build({
      entrypoints: [new URL("host-page.ts", import.meta.url).pathname],
      target: "browser",
    });
    const script = await outputs[0]!.text();
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) =>
        new URL(url).pathname === "/host.js"
          ? new Response(script, { headers: { "Content-Type": "text/javascript" } })
          : new Response(HTML, { headers: { "Content-Type": "text/html" } }),
    });
    atEnd(() => server.stop(true));
    const watched = await chromium.open("about:blank", { hosts: [server.url.host] });
    const host = new ChatHost(server.url.href, watched);
    await watched.page.exposeFunction("callTool", (...call: Parameters<CallTool>) => host.#callTool(...call));
    return host;
  }

  /** Calls the tool, and opens its view with the answer. */
  async open(
    client: Client,
    tool: string,
    input: Record<string, unknown> = {},
    { context = {}, passesCallsOn = true, callTool = callsOf(client) }: HowToOpen = {},
  ): Promise<OpenedInHost> {
    const result = await client.callTool({ name: tool, arguments: input }) as CallToolResult;
    const { page, faults } = this.watched;
    const inputs: Record<string, unknown>[] = [];
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(this.url);
    atEnd(async () => {
      await page.goto("about:blank");
      expect(faults).toEqual([]);
    });
    this.#callTool = (name, values) => {
      if (name === tool) inputs.push(values);
      return callTool(name, values);
    };
    const opening: Opening = { html: await viewOf(client, tool), input, result, context, passesCallsOn };
    await page.waitForFunction(() => "host" in globalThis);
    await page.evaluate((given) => globalThis.host.open(given as Opening), opening as unknown);
    const frame = page.frames().find((each) => each !== page.mainFrame());
    if (frame === undefined) throw new Error("the page has no frame");
    return {
      page,
      frame,
      inputs,
      change: (changed) =>
        page.evaluate((given) => globalThis.host.change(given as McpUiHostContext), changed as unknown),
      close: () => page.evaluate(() => globalThis.host.close()),
    };
  }
}

function callsOf(client: Client): CallTool {
  return (name, input) => client.callTool({ name, arguments: input }) as Promise<CallToolResult>;
}

/** As a host finds it: by the list of tools. */
async function viewOf(client: Client, tool: string): Promise<string> {
  const { tools } = await client.listTools();
  const { ui } = (tools.find(({ name }) => name === tool)?._meta ?? {}) as { ui?: { resourceUri?: string } };
  if (ui?.resourceUri === undefined) throw new Error(`${tool} has no view`);
  const { contents: [content] } = await client.readResource({ uri: ui.resourceUri });
  if (content === undefined || !("text" in content)) throw new Error(`${ui.resourceUri} is no text`);
  return content.text.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`);
}
