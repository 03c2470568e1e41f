import { describe, expect, test } from "bun:test";
import {
  loadFiles,
  packNamed,
  promptText,
  refusalOf,
  resourceText,
  routeText,
  toolText,
} from "./support/pack-files.ts";

const GREET = toolText("acme_greet");

describe("a pack is refused", () => {
  test.each([
    ["", /^pack: it brings nothing: it needs tools, resources, prompts or routes$/],
    [
      `ressources: [], tools: [${GREET}]`,
      /^pack: ressources is not a property of a pack \(did you mean resources\?\)$/,
    ],
    [`tools: [${GREET}], variables: {}`, /^variables: can't be here: call mkt\.variables/],
    [`tools: [${GREET}], advice: { connectFirst: "No." }`, /^advice: is for built-in packs$/],
    [`tools: [${GREET}], needs: {}`, /^needs: is for built-in packs$/],
    [`tools: [${GREET}], origin: {}`, /^origin: is set by mkt$/],
    [`tools: {}`, /^tools: must be a list/],
    [`tools: [${GREET}], name: "Bad Name"`, /^name: must be lower case letters, digits and dashes/],
    [`tools: [${GREET}], description: ""`, /^description: /],
    [`tools: [${GREET}], unavailable: "no"`, /^unavailable: must be a function$/],
  ])("with %p", async (parts, reason) => {
    expect(await refusalOf(parts)).toMatch(reason);
  });

  test("with all its faults at once", async () => {
    const parts = `tools: [${toolText("Acme", "handler: 3")}], routes: [${routeText("acme")}], promts: []`;
    expect((await refusalOf(parts))?.split("; ").map((fault) => fault.split(":")[0])).toEqual([
      "tools.0.name",
      "tools.0.handler",
      "routes.0.path",
      "pack",
    ]);
  });
});

test.each([
  [`name: "Acme-Greet"`, /^tools\.0\.name: must be lower case/],
  [`titel: "Greet"`, /^tools\.0: titel is not a property of a tool \(did you mean title\?\)$/],
  [`input: {}`, /^tools\.0\.input: must be an object schema of the given z$/],
  [`output: mkt.z.string()`, /^tools\.0\.output: must be an object schema of the given z$/],
  [
    `annotations: { readOnlyHint: true }`,
    /^tools\.0\.annotations\.destructiveHint: .*tools\.0\.annotations\.openWorldHint/,
  ],
  [`annotations: { ...mkt.READ_ONLY, readonlyHint: true }`, /^tools\.0\.annotations: readonlyHint .*mean readOnlyHint/],
  [`requires: { conection: "read" }`, /^tools\.0\.requires: conection is not .*\(did you mean connection\?\)$/],
  [
    `requires: { permissions: ["Market.Veiw"] }`,
    /^tools\.0\.requires\.permissions\.0: must be one of .*mean Market\.View/,
  ],
  [`requires: { connection: "both" }`, /^tools\.0\.requires\.connection: /],
  [`allowedInReadOnly: true`, /^tools\.0\.allowedInReadOnly: is for built-in tools$/],
  [`allowedWhenFrozen: true`, /^tools\.0\.allowedWhenFrozen: is for built-in tools$/],
  [`reportsConnection: true`, /^tools\.0\.reportsConnection: is for built-in tools$/],
  [`question: "sure?"`, /^tools\.0\.question: must be a function$/],
  [`output: () => { throw new Error("no schema"); }`, /no schema/],
  [`view: "ui://acme/greet.html"`, /^tools\.0\.view: must be the URI of a resource of this pack that begins with ui:/],
])("a tool with %p is refused", async (parts, reason) => {
  expect(await refusalOf(`tools: [${toolText("acme_greet", parts)}]`)).toMatch(reason);
});

describe("the view of a tool", () => {
  const packWith = (uri: string, mimeType: string) =>
    refusalOf(
      `tools: [${toolText("acme_greet", `view: "${uri}"`)}], ` +
        `resources: [${resourceText(uri, `mimeType: "${mimeType}", meta: { ui: { csp: {} } }`)}]`,
    );

  test("may be a page of the same pack", async () => {
    expect(await packWith("ui://acme/greet.html", "text/html;profile=mcp-app")).toBeUndefined();
  });

  test.each([
    ["ui://acme/greet.html", "text/html"],
    ["acme://greet.html", "text/html;profile=mcp-app"],
  ])("is refused with the URI %p and the type %p", async (uri, mimeType) => {
    expect(await packWith(uri, mimeType)).toMatch(/^tools\.0\.view: must be the URI of a resource of this pack/);
  });
});

describe("a resource", () => {
  test.each([
    ["zones", /^resources\.0\.uri: must begin with a scheme/],
    ["Acme://zones", /scheme in lower case/],
    ["acme://", /must begin with a scheme/],
    ["mkt://zones", /^resources\.0\.uri: can't begin with mkt:\/\/, which is for built-in packs$/],
    ["ui://mkt/zones.html", /^resources\.0\.uri: can't begin with ui:\/\/mkt\/, which is for built-in packs$/],
    ["acme://zones/{Zone}", /has \{Zone\}: a parameter is a whole segment/],
    ["acme://zones/{zone}.json", /has \{zone\}\.json: a parameter is a whole segment/],
    ["acme://zones/{a}{b}", /a parameter is a whole segment/],
    ["acme://zones/{zone", /a parameter is a whole segment/],
    ["acme://zones/{a}/{a}", /has the parameter \{a\} twice/],
    ["acme://two words", /is not a URI: percent-encode/],
    ["acme://zürich", /is not a URI: percent-encode/],
  ])("with the URI %p is refused", async (uri, reason) => {
    expect(await refusalOf(`resources: [${resourceText(uri, `name: "zones"`)}]`)).toMatch(reason);
  });

  test.each([
    [
      "acme://zones/{zone}",
      `parameters: { zon: null }`,
      /^resources\.0\.parameters: zon is not in the URI acme:\/\/zones\/\{zone\}$/,
    ],
    ["acme://zones/{zone}", `parameters: { zone: "north" }`, /^resources\.0\.parameters\.zone: must be a function$/],
    ["acme://zones", `list: () => []`, /^resources\.0\.list: is for a URI with parameters$/],
    ["acme://zones", `annotations: { audience: [], priority: 2 }`, /^resources\.0\.annotations\.priority: /],
    ["acme://zones", `cacheMs: -1`, /^resources\.0\.cacheMs: /],
    ["acme://zones", `mimeType: "text"`, /^resources\.0\.mimeType: must be a media type/],
    ["acme://zones", `name: "two words"`, /^resources\.0\.name: must be letters/],
    ["acme://zones", `cachMs: 5`, /^resources\.0: cachMs is not a property of a resource \(did you mean cacheMs\?\)$/],
    ["acme://zones", `read: null`, /^resources\.0\.read: must be a function$/],
  ])("%p with %p is refused", async (uri, parts, reason) => {
    expect(await refusalOf(`resources: [${resourceText(uri, parts)}]`)).toMatch(reason);
  });

  test("may have parameters with and without completion", async () => {
    const uri = "acme://zones/{zone}/days/{day}";
    const parts = `parameters: { zone: () => ["north"], day: null }, list: () => [], version: () => 1, cacheMs: 0,
      annotations: { audience: ["assistant"], priority: 0.5 }`;
    expect(await refusalOf(`resources: [${resourceText(uri, parts)}]`)).toBeUndefined();
    expect(await refusalOf(`resources: [${resourceText(uri)}]`)).toBeUndefined();
  });
});

test.each([
  [`name: "two words"`, /^prompts\.0\.name: must be letters/],
  [`argments: {}`, /^prompts\.0: argments is not a property of a prompt \(did you mean arguments\?\)$/],
  [`arguments: { zone: "Zone" }`, /^prompts\.0\.arguments\.zone: /],
  [`arguments: { "a zone": { description: "Zone" } }`, /^prompts\.0\.arguments\.a zone: must be letters/],
  [
    `arguments: { zone: { description: "Zone", requird: true } }`,
    /^prompts\.0\.arguments\.zone: requird is not a property/,
  ],
  [
    `arguments: { zone: { description: "Zone", complete: [] } }`,
    /^prompts\.0\.arguments\.zone\.complete: must be a function$/,
  ],
  [`arguments: { zone: { description: "Zone", maxLength: 0 } }`, /^prompts\.0\.arguments\.zone\.maxLength: /],
  [`uses: "acme_greet"`, /^prompts\.0\.uses: /],
  [`mayUse: "acme_greet"`, /^prompts\.0\.mayUse: /],
  [`messages: "Hello"`, /^prompts\.0\.messages: must be a function$/],
])("a prompt with %p is refused", async (parts, reason) => {
  expect(await refusalOf(`prompts: [${promptText("acme_hello", parts)}]`)).toMatch(reason);
});

describe("a route", () => {
  test.each([
    ["acme", /^routes\.0\.path: must begin with \/$/],
    ["/mcp", /would answer requests for \/mcp, which mkt serves itself/],
    ["/mcp/more", /for \/mcp,/],
    ["/health", /for \/health,/],
    ["/metrics/:name", /for \/metrics,/],
    ["/:anything", /for \/mcp,/],
    ["/*", /for \/mcp,/],
    ["/acme//zones", /must have segments/],
    ["/acme/", /must have segments/],
    ["/acme/*/zones", /must have segments/],
    ["/acme/:zone{[a-z]+}", /must have segments/],
    ["/acme/:zone?", /must have segments/],
    ["/acme/..", /must have segments/],
    ["/acme?x=1", /must have segments/],
    ["/acme/:a/:a", /has the parameter :a twice/],
  ])("with the path %p is refused", async (path, reason) => {
    expect(await refusalOf(`routes: [${routeText(path)}]`)).toMatch(reason);
  });

  test.each([
    [`method: "get"`, /^routes\.0\.method: /],
    [`method: "PATCH"`, /^routes\.0\.method: /],
    [`readOnlyHint: undefined`, /^routes\.0\.readOnlyHint: /],
    [`readOnlyHint: false`, /^routes\.0\.readOnlyHint: must be true for GET, since any link/],
    [`handler: undefined`, /^routes\.0\.handler: must be a function$/],
    [`handeler: 1`, /^routes\.0: handeler is not a property of a route \(did you mean handler\?\)$/],
  ])("with %p is refused", async (parts, reason) => {
    expect(await refusalOf(`routes: [${routeText("/acme", parts)}]`)).toMatch(reason);
  });

  test.each([
    [``, null],
    [`cacheControl: "max-age=60", contentSecurityPolicy: "default-src 'self'"`, null],
    [`content: new Uint8Array(3)`, null],
    [`content: () => "hello"`, /^routes\.0\.publicFile\.content: must be a string or a Uint8Array$/],
    [`contentType: undefined`, /^routes\.0\.publicFile\.contentType: /],
    [`contentType: "text/html\\r\\nX-Acme: 1"`, /^routes\.0\.publicFile\.contentType: must be the value of an HTTP/],
    [`contentSecurityPolicy: "img-src \u2026"`, /^routes\.0\.publicFile\.contentSecurityPolicy: must be the value/],
    [`}, method: "POST", other: {`, /^routes\.0: other.*; routes\.0\.method: must be GET for a public file$/],
    [`}, handler: () => 1, other: {`, /routes\.0\.handler: can't be there, because everybody gets a public file$/],
    [`}, requires: { connection: "read" }, other: {`, /routes\.0\.requires: can't be there/],
  ])("that is a public file with %p is loaded or refused", async (parts, reason) => {
    const file = `{ content: "hello", contentType: "text/plain", ${parts} }`;
    const route = `mkt.defineRoute({ method: "GET", path: "/acme", description: "d", publicFile: ${file} })`;
    const { reasons } = await loadFiles({ "acme.ts": packNamed("acme", `routes: [${route}]`) });
    if (reason === null) expect(reasons).toEqual({});
    else expect(reasons["acme.ts"]).toMatch(reason);
  });

  test("may have any other path", async () => {
    const routes = ["/", "/acme", "/acme/:zone/days", "/acme-2/*", "/mcpx", "/acme/v1.2/~me"].map((path) =>
      routeText(path)
    );
    const { packs, reasons } = await loadFiles({ "acme.ts": packNamed("acme", `routes: [${routes}]`) });
    expect({ packs, reasons }).toEqual({ packs: ["acme"], reasons: {} });
  });
});
