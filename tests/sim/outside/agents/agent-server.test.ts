// The socket on which agents connect, if the system makes trouble.

import { expect, spyOn, test } from "bun:test";
import { Server } from "node:net";
import { AgentServer } from "../../../../sim/outside/agents/agent-server.ts";
import type { Hello } from "../../../../sim/outside/agents/agent-messages.ts";
import { atEnd } from "../../../support/at-end.ts";
import { until } from "../../../support/until.ts";
import { connectTo } from "./support.ts";

/** A server that waits for agents, and the socket under it. */
async function listening(
  timeoutMs: number,
  options: { count?: number; faultOf?: (hello: Hello) => string | null } = {},
) {
  const listen = spyOn(Server.prototype, "listen");
  const server = new AgentServer({ address: { port: 0 }, count: 1, timeoutMs, faultOf: () => null, ...options });
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

test("an agent that leaves before the run begins is none of its agents", async () => {
  const asked: string[] = [];
  const { server, address } = await listening(30_000, {
    count: 2,
    faultOf: ({ name }) => asked.push(name) === 2 ? "not now" : null,
  });
  const agents = server.agents();
  const hello = async (name: string) => {
    const agent = await connectTo(address);
    const say = () => agent.write(`${JSON.stringify({ type: "hello", protocol: 1, name })}\n`);
    say();
    return { agent, say };
  };
  const first = await hello("anna");
  await until(() => asked.length === 1);
  first.agent.destroy();
  // Refused as a second anna, without being asked further, for as long as the first one counts.
  const second = await hello("anna");
  second.agent.on("data", () => asked.length === 1 && second.say());
  await until(() => asked.length === 2);
  await hello("bert");
  await hello("carla");
  expect((await agents).map(({ hello }) => hello.name).toSorted()).toEqual(["bert", "carla"]);
});
