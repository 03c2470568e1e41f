// The socket on which agents connect, if the system makes trouble.

import { expect, spyOn, test } from "bun:test";
import { Server } from "node:net";
import { AgentServer } from "../../../../sim/outside/agents/agent-server.ts";
import { atEnd } from "../../../support/at-end.ts";
import { connectTo } from "./support.ts";

/** A server that waits for one agent, and the socket under it. */
async function listening(timeoutMs: number) {
  const listen = spyOn(Server.prototype, "listen");
  const server = new AgentServer({ address: { port: 0 }, count: 1, timeoutMs, faultOf: () => null });
  const address = await server.listen();
  const socket = listen.mock.contexts[0] as unknown as Server;
  listen.mockRestore();
  atEnd(() => server.close("the test has ended"));
  /** The system has refused a connection. */
  const refuse = () => socket.emit("error", new Error("accept EMFILE"));
  return { server, address, refuse };
}

test("an agent still connects after several connections could not be accepted", async () => {
  const { server, address, refuse } = await listening(30_000);
  for (let count = 0; count < 3; count += 1) refuse();
  const agents = server.agents();
  const agent = await connectTo(address);
  agent.write(`${JSON.stringify({ type: "hello", protocol: 1, name: "anna" })}\n`);
  expect((await agents).map(({ hello }) => hello.name)).toEqual(["anna"]);
  agent.destroy();
});

test("if no agent comes, the run says why connections could not be accepted", async () => {
  const { server, refuse } = await listening(10);
  const agents = server.agents();
  for (let count = 0; count < 3; count += 1) refuse();
  await expect(agents).rejects.toThrow("0 of 1 agents connected within 0.01 s: accept EMFILE");
});
