// Connects the server to the market because without that there is nothing to show. If somebody has disconnected it, it
// stays so until a person asks for the connection.

import { effect, signal } from "@preact/signals";
import { Button } from "../../components/button.tsx";
import { connectProblem } from "../live/liveness.ts";
import { market } from "../live/market-store.ts";
import { callTool } from "../live/server.ts";
import { outcomeOf, outcomeOfError } from "../operation/outcome.ts";

const isConnecting = signal(false);
let hasTried = false;

/** Called once, by the page. */
export function connectOnce(): void {
  effect(() => {
    const connection = market.connection.value;
    if (connection === null) return;
    if (connection.status === "connected") {
      connectProblem.value = null;
      // After a restart another process answers, which nobody has connected yet.
      hasTried = false;
    }
    if (connection.status !== "disconnected" || connection.wasDisconnected || hasTried) return;
    hasTried = true;
    void connect();
  });
}

async function connect(): Promise<void> {
  if (isConnecting.peek()) return;
  isConnecting.value = true;
  connectProblem.value = null;
  const outcome = await callTool("mkt_connect_pubsub", { arguments: {} }).then(
    (reply) => reply.kind === "result" ? outcomeOf(reply) : null,
    outcomeOfError,
  );
  isConnecting.value = false;
  if (outcome?.kind === "failed" || outcome?.kind === "unknown") connectProblem.value = outcome.report;
}

export function ConnectButton() {
  return (
    <Button
      small
      icon="link"
      onClick={() => void connect()}
      unavailable={isConnecting.value ? "Connecting" : null}
    >
      Connect
    </Button>
  );
}
