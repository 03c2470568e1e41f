// Everything that an MCP server shows a client without changing anything: the answer of every tool that only reads, with every
// argument that could name somebody else's order, user or entity; every resource; and the routes of the dashboard.

import type { ListedTool } from "../../support/clients.ts";
import { KeptConnection, toolCall } from "../../support/kept-connection.ts";
import { legacyCall } from "../../support/raw-request.ts";
import { post } from "../../support/http-requests.ts";

/** What is asked for, by the name of a tool's parameter or of a variable in a resource's URI. */
export type Named = Readonly<Record<string, readonly unknown[]>>;

/** An answer, by what was asked. */
export type Shown = ReadonlyMap<string, string>;

/** `mkt_connection_status` also tells about the process. */
const OF_THE_PROCESS = new Set(["mkt_ping"]);

/** Views, schemas and documents. */
const SAME_FOR_ALL = /^(?!mkt:)|^mkt:\/\/(modules|protocol|market-rules)/;

export async function everythingShown(url: string, named: Named): Promise<Shown> {
  const shown = new Map<string, string>();
  const { tools } = await asked(url, "tools/list") as { tools: ListedTool[] };
  const connection = new KeptConnection(url);
  for (const tool of tools) {
    if (tool.annotations?.["readOnlyHint"] !== true || OF_THE_PROCESS.has(tool.name)) continue;
    for (const input of inputsOf(tool, named)) {
      const answer = await connection.send(toolCall(url, tool.name, input));
      const { result, error } = JSON.parse(answer?.body ?? "{}");
      shown.set(`${tool.name} ${JSON.stringify(input)}`, JSON.stringify(result?.structuredContent ?? result ?? error));
    }
  }
  connection.close();
  for (const uri of await resourcesOf(url, named)) {
    shown.set(uri, JSON.stringify(await asked(url, "resources/read", { uri })));
  }
  for (const path of pathsOf(named)) shown.set(path, await (await fetch(`${url}${path}`)).text());
  shown.set("/dashboard/stream", await firstUpdate(url));
  return shown;
}

/** The required arguments alone, and then with each other argument. */
function inputsOf({ inputSchema }: ListedTool, named: Named): Record<string, unknown>[] {
  const { properties = {}, required = [] } = inputSchema as {
    readonly properties?: Readonly<Record<string, { readonly enum?: readonly unknown[]; readonly maximum?: number }>>;
    readonly required?: readonly string[];
  };
  const valuesOf = (name: string) =>
    name === "limit" ? [properties[name]?.maximum] : properties[name]?.enum ?? named[name] ?? [];
  const given = Object.fromEntries(required.map((name) => [name, valuesOf(name)[0]]));
  const more = Object.keys(properties).flatMap((name) => valuesOf(name).map((value) => ({ ...given, [name]: value })));
  return [given, ...more];
}

async function resourcesOf(url: string, named: Named): Promise<string[]> {
  const { resources } = await asked(url, "resources/list") as { resources: { uri: string }[] };
  const { resourceTemplates } = await asked(url, "resources/templates/list") as {
    resourceTemplates: { uriTemplate: string }[];
  };
  const filled = resourceTemplates.flatMap(({ uriTemplate }) => {
    const name = /\{(\w+)\}/.exec(uriTemplate)?.[1] ?? "";
    return (named[name] ?? []).map((value) => uriTemplate.replace(`{${name}}`, String(value)));
  });
  return [...resources.map(({ uri }) => uri), ...filled].filter((uri) => !SAME_FOR_ALL.test(uri));
}

function pathsOf(named: Named): string[] {
  const texts = ["orderId", "entityId", "userId"].flatMap((name) => named[name] ?? []);
  return [
    "/dashboard/credit",
    "/dashboard/sparks",
    ...(named["contractId"] ?? []).map((id) => `/dashboard/history/${id}`),
    ...texts.map((text) => `/dashboard/search?text=${encodeURIComponent(String(text))}`),
  ];
}

async function asked(url: string, method: string, params: Record<string, unknown> = {}): Promise<unknown> {
  const response = await post({ url }, { ...legacyCall(1, ""), method, params });
  const text = await response.text();
  const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return result ?? error;
}

/** What a page of the dashboard is sent first. */
async function firstUpdate(url: string): Promise<string> {
  const ended = new AbortController();
  const response = await fetch(`${url}/dashboard/stream`, { signal: ended.signal });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n\n")) break;
  }
  ended.abort();
  return text;
}
