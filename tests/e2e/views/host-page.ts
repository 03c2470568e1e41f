// The page of a chat host, for tests: shows a view in a sandboxed frame with the policy of the specification, by the bridge of
// ext-apps. Runs in the browser; chat-host.ts is its other half.

import type { McpUiHostCapabilities, McpUiHostContext } from "@modelcontextprotocol/ext-apps";
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { CallToolResult } from "@modelcontextprotocol/client";

export interface Opening {
  /** The view, with the policy in it. */
  readonly html: string;
  readonly input: Record<string, unknown>;
  readonly result: CallToolResult;
  readonly context: McpUiHostContext;
  /** Whether the view may call tools. */
  readonly passesCallsOn: boolean;
}

interface HostPage {
  /** Resolves when the view has what it was opened with. */
  open(opening: Opening): Promise<void>;
  change(context: McpUiHostContext): void;
  /** Resolves when the view has said that it has ended. */
  close(): Promise<void>;
}

declare global {
  /** Set by this page. */
  var host: HostPage;
  /** Calls a tool of the server; given by the test. */
  function callTool(name: string, input: Record<string, unknown>): Promise<CallToolResult>;
}

let bridge: AppBridge;

globalThis.host = {
  async open({ html, input, result, context, passesCallsOn }) {
    const frame = document.querySelector("iframe")!;
    const capabilities: McpUiHostCapabilities = passesCallsOn ? { serverTools: {} } : {};
    bridge = new AppBridge(null, { name: "host of a test", version: "1" }, capabilities, { hostContext: context });
    bridge.oncalltool = ({ name, arguments: values = {} }) => globalThis.callTool(name, values);
    bridge.onsizechange = ({ height }) => {
      if (height !== undefined) frame.style.height = `${height}px`;
    };
    bridge.onrequestdisplaymode = ({ mode }) => {
      bridge.setHostContext({ ...context, displayMode: mode });
      return Promise.resolve({ mode });
    };
    const initialized = new Promise<void>((resolve) => (bridge.oninitialized = () => resolve()));
    await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
    frame.srcdoc = html;
    await initialized;
    await bridge.sendToolInput({ arguments: input });
    await bridge.sendToolResult(result);
  },
  change: (context) => bridge.setHostContext(context),
  async close() {
    await bridge.teardownResource({});
  },
};
