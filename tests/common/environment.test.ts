import { expect, test } from "bun:test";
import { useNoProxy } from "../../common/environment.ts";
import { atEnd } from "../support/at-end.ts";
import { runCommandHere } from "../support/command-line-here.ts";

/** A server, or a proxy, that answers with its name. */
function answering(name: string): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(name) });
  atEnd(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}

/** Who answers a request to a server before and after `useNoProxy`, with `variables` in the environment. */
async function reached(variables: Record<string, string>): Promise<string[]> {
  const server = answering("server");
  const ask = async () => await (await fetch(server)).text();
  const answers: string[] = [];
  await runCommandHere(
    (program) =>
      program.command("ask").action(async () => {
        answers.push(await ask());
        useNoProxy();
        answers.push(await ask());
      }),
    ["ask"],
    variables,
  );
  return answers;
}

test.each([
  ["HTTP_PROXY", {}],
  ["http_proxy", {}],
  ["HTTP_PROXY", { NO_PROXY: "other.example" }],
  ["HTTP_PROXY", { no_proxy: "other.example" }],
])("a request asks the proxy of %s with %j, and the server itself once no proxy is used", async (name, exceptions) => {
  expect(await reached({ [name]: answering("proxy"), ...exceptions })).toEqual(["proxy", "server"]);
});
