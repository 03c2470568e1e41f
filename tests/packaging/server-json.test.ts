import { describe, expect, test } from "bun:test";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { readConfiguration } from "../../core/config/environment.ts";
import { NPM_PACKAGE, REGISTRY_NAME, releaseFileUrl, VERSION } from "../../packaging/identity.ts";
import { SERVER_SCHEMA, serverJson } from "../../packaging/server-json/server-json.ts";
import schema from "./fixtures/server.schema.json" with { type: "json" };

const ajv = addFormats(new Ajv({ allErrors: true, strict: false }));
const validate = ajv.compile(schema);
const BUNDLE = { file: "mkt-1.2.3-macos-arm64.mcpb", sha256: "0123456789abcdef".repeat(4) };

function faultsOf(value: unknown): string[] {
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe("server.json", () => {
  test("fits the registry's schema, with bundles and without", () => {
    expect(schema.$id).toBe(SERVER_SCHEMA);
    expect(faultsOf(serverJson({ version: "1.2.3", bundles: [BUNDLE] }))).toEqual([]);
    expect(faultsOf(serverJson({ version: VERSION, bundles: [] }))).toEqual([]);
  });

  test("would not fit with a wrong hash, a long description or a name without namespace", () => {
    const good = serverJson({ version: "1.2.3", bundles: [] });
    expect(faultsOf({ ...good, description: "x".repeat(101) })).not.toEqual([]);
    expect(faultsOf({ ...good, name: "mkt" })).not.toEqual([]);
    expect(faultsOf(serverJson({ version: "1.2.3", bundles: [{ ...BUNDLE, sha256: "ABC" }] }))).not.toEqual([]);
  });

  test("has one version everywhere, the names of the packages, and the address and hash of each bundle", () => {
    const { name, version, packages } = serverJson({ version: "1.2.3", bundles: [BUNDLE] });
    expect({ name, version }).toEqual({ name: REGISTRY_NAME, version: "1.2.3" });
    expect(packages.map((each) => each.version)).toEqual(["1.2.3", "1.2.3", "1.2.3"]);
    expect(packages.map(({ registryType, identifier }) => `${registryType} ${identifier}`)).toEqual([
      `npm ${NPM_PACKAGE}`,
      `npm ${NPM_PACKAGE}`,
      `mcpb ${releaseFileUrl(BUNDLE.file, "1.2.3")}`,
    ]);
    expect(packages[2]).toMatchObject({ fileSha256: BUNDLE.sha256, transport: { type: "stdio" } });
  });

  test("describes variables whose defaults are a valid configuration", () => {
    const { packages } = serverJson({ version: VERSION, bundles: [] });
    for (const { environmentVariables = [] } of packages as { environmentVariables?: Variable[] }[]) {
      const defaults = Object.fromEntries(environmentVariables.map((each) => [each.name, each.default ?? ""]));
      expect(readConfiguration(defaults)).toMatchObject({ ok: true });
      expect(defaults["MKT_BASE_URL"]).toBe(`http://${defaults["MKT_HOST"]}`);
      for (const each of environmentVariables) {
        expect({ ...each, isSecret: each.isSecret === true }).toMatchObject({ isSecret: /TOKEN/.test(each.name) });
      }
    }
  });

  test("asks over HTTP for the port in its address and for a token besides, and on stdio for the engine alone", () => {
    const [stdio, http] = serverJson({ version: VERSION, bundles: [] }).packages as Package[];
    const ofEngine = ["HOST", "BASE_URL", "USER_ID", "BEARER_TOKEN", "AUDIT_STORE", "READ_ONLY", "PACKS"];
    const names = ({ environmentVariables }: Package) => environmentVariables.map(({ name }) => name);
    expect(names(stdio!)).toEqual(ofEngine.map((name) => `MKT_${name}`));
    expect(names(http!)).toEqual(["MCP_HTTP_PORT", "MCP_BEARER_TOKEN", ...names(stdio!)]);
    expect([stdio!.transport, http!.transport]).toEqual([{ type: "stdio" }, {
      type: "streamable-http",
      url: "http://127.0.0.1:{MCP_HTTP_PORT}/mcp",
      headers: [{ name: "Authorization", description: expect.stringContaining("MCP_BEARER_TOKEN"), isSecret: true }],
    }]);
    for (const { environmentVariables } of [stdio!, http!]) {
      const required = environmentVariables.filter(({ isRequired }) => isRequired === true);
      for (const each of required) expect([each.name, each.default !== undefined]).toEqual([each.name, true]);
      // Each choice is a value that the configuration takes.
      for (const { name, choices, default: usual } of environmentVariables) {
        if (choices === undefined) continue;
        expect(choices).toContain(usual!);
        const storage = {
          STORAGE_TABLE_ENDPOINT: "https://t.example",
          STORAGE_ACCOUNT_NAME: "a",
          MKT_STORAGE_KEY: "aw==",
        };
        for (const choice of choices) {
          const given = { MKT_HOST: "localhost:1", MKT_USER_ID: "u", ...storage, [name]: choice };
          expect([choice, readConfiguration(given)]).toMatchObject([choice, { ok: true }]);
        }
      }
    }
  });
});

interface Package {
  readonly transport: object;
  readonly environmentVariables: readonly Variable[];
}

interface Variable {
  readonly isRequired?: boolean;
  readonly choices?: readonly string[];
  readonly name: string;
  readonly default?: string;
  readonly isSecret?: boolean;
}
