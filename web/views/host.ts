// The chat host of this page (MCP Apps): the tool call that opened the view, and calls of tools of the same server.
// `App` is the extension's own code, checked with hosts. It is 310 of the page's 560 kB, because it brings zod and
// MCP's schemas.

import { App, type McpUiHostContext } from "@modelcontextprotocol/ext-apps";
import { type Signal, signal } from "@preact/signals";
import { applyHostStyle } from "./host-style.ts";
import { answerOf, answerToFailure, type ToolAnswer, type Values } from "./tool-answer.ts";
import type { ViewName } from "./view-name.ts";

const CONNECT_LIMIT_MS = 10_000;
const CALL_LIMIT_MS = 10_000;

/** `absent`: nobody answers, so the page was not opened by a chat host. `ended`: the host has closed the view. */
type HostStatus = "connecting" | "connected" | "absent" | "ended";

/** What the host tells of the tool call that opened the view. */
interface OpeningCall {
  readonly opened: (values: Values) => void;
  readonly answered: (answer: ToolAnswer) => void;
  readonly ended: () => void;
}

export class Host {
  readonly status: Signal<HostStatus> = signal("connecting");
  readonly context: Signal<McpUiHostContext> = signal({});
  readonly #app: App;

  constructor(view: ViewName, { opened, answered, ended }: OpeningCall) {
    const app = new App({ name: `mkt ${view}`, version: "1" }, { availableDisplayModes: ["inline", "fullscreen"] });
    this.#app = app;
    app.addEventListener("toolinput", ({ arguments: values = {} }) => opened(values));
    app.addEventListener("toolresult", (result) => answered(answerOf(result)));
    app.addEventListener("toolcancelled", ({ reason }) => answered(cancelled(reason)));
    app.addEventListener("hostcontextchanged", () => this.#show({ ...app.getHostContext() }));
    app.onteardown = () => {
      this.status.value = "ended";
      ended();
      return {};
    };
  }

  async connect(): Promise<void> {
    try {
      await this.#app.connect(undefined, { timeout: CONNECT_LIMIT_MS });
    } catch {
      this.status.value = "absent";
      return;
    }
    this.#show({ ...this.#app.getHostContext() });
    this.status.value = "connected";
  }

  /** Whether the host passes calls on to the server. */
  get offersCalls(): boolean {
    return this.#app.getHostCapabilities()?.serverTools !== undefined;
  }

  readonly call = async (name: string, values: Values): Promise<ToolAnswer> => {
    try {
      return answerOf(await this.#app.callServerTool({ name, arguments: { ...values } }, { timeout: CALL_LIMIT_MS }));
    } catch (error) {
      return answerToFailure(error);
    }
  };

  /** The host may choose another mode. If it can't change the mode at all, it is asked no more. */
  async setFullscreen(isFullscreen: boolean): Promise<void> {
    try {
      const { mode } = await this.#app.requestDisplayMode({ mode: isFullscreen ? "fullscreen" : "inline" });
      this.#show({ ...this.context.value, displayMode: mode });
    } catch {
      this.#show({ ...this.context.value, availableDisplayModes: [] });
    }
  }

  #show(context: McpUiHostContext): void {
    this.context.value = context;
    applyHostStyle(context);
  }
}

function cancelled(reason: string | undefined): ToolAnswer {
  const message = `The call was cancelled${reason === undefined ? "" : `: ${reason}`}.`;
  return { kind: "error", report: { code: "cancelled", message, hint: "Ask the assistant to call the tool again." } };
}
