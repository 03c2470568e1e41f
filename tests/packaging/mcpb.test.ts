import { describe, expect, test } from "bun:test";
import { getMcpConfigForManifest, MANIFEST_SCHEMAS, unpackExtension } from "@anthropic-ai/mcpb";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { readConfiguration } from "../../core/config/environment.ts";
import { VERSION } from "../../packaging/identity.ts";
import { writeMcpb } from "../../packaging/mcpb/bundle.ts";
import { iconPng } from "../../packaging/mcpb/icon.ts";
import { ICON_FILE, MANIFEST_VERSION, mcpbManifest } from "../../packaging/mcpb/manifest.ts";
import { isInNpm, PLATFORMS } from "../../packaging/platforms.ts";
import { PACKS } from "../../plugins/index.ts";
import { BARE_ENVIRONMENT, MKT } from "../support/executable.ts";
import { run, startProcess } from "../support/processes.ts";
import { LONG } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const BUNDLED = PLATFORMS.filter(isInNpm);
const OWN = BUNDLED.find(({ nodePlatform, nodeArch }) =>
  nodePlatform === process.platform && nodeArch === process.arch
);

async function commandOf(folder: string, userConfig: Record<string, string | boolean>) {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const settings = { extensionPath: folder, systemDirs: {}, userConfig, pathSeparator: "/" };
  const config = await getMcpConfigForManifest({ manifest, ...settings });
  if (config === undefined) throw new Error("a required setting is missing");
  return config;
}

describe("the manifest of a bundle", () => {
  test.each(BUNDLED.map((platform) => [platform.title, platform] as const))("for %s is valid", (_, platform) => {
    const parsed = MANIFEST_SCHEMAS[MANIFEST_VERSION].safeParse(mcpbManifest(platform, VERSION));
    expect(parsed.error?.issues).toBeUndefined();
  });

  test("lists the tools that a server without further settings offers", () => {
    const names = mcpbManifest(BUNDLED[0]!, VERSION).tools.map(({ name }) => name);
    const offered = PACKS.filter(({ needs }) => needs === undefined).flatMap(({ tools }) => tools);
    expect(names).toEqual(offered.map(({ name }) => name));
    expect(names).toContain("mkt_create_test_order");
  });

  test("gives each setting to its own variable, and starts the executable of its platform", () => {
    for (const platform of BUNDLED) {
      const { server, compatibility, long_description } = mcpbManifest(platform, VERSION);
      const file = platform.os === "windows" ? "server/mkt.exe" : "server/mkt";
      expect(server).toMatchObject({ entry_point: file, mcp_config: { command: `\${__dirname}/${file}`, args: [] } });
      expect(server.mcp_config.env).toEqual({
        MKT_HOST: "${user_config.host}",
        MKT_BASE_URL: "http://${user_config.host}",
        MKT_USER_ID: "${user_config.user}",
        MKT_BEARER_TOKEN: "${user_config.token}",
        MKT_READ_ONLY: "${user_config.read_only}",
        MKT_PACKS: "${user_config.packs}",
        MKT_AUDIT_STORE: "backend",
      });
      expect(compatibility).toEqual({ platforms: [platform.nodePlatform] });
      const system = { linux: "Linux", macos: "macOS", windows: "Windows" }[platform.os];
      expect(long_description).toEndWith(`This bundle is for ${system}, ${platform.nodeArch}.`);
    }
  });

  test("gives every setting to a variable, and no variable a setting that the user may leave out without a default", () => {
    const { server: { mcp_config: { env } }, user_config } = mcpbManifest(BUNDLED[0]!, VERSION);
    const used = Object.values(env).join(" ").match(/(?<=\$\{user_config\.)\w+(?=\})/g) ?? [];
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(user_config).toSorted());
    for (const setting of Object.values(user_config)) expect(setting.default).toBeDefined();
    expect(user_config.token).toMatchObject({ sensitive: true });
  });
});

test("the icon is a PNG of 512 by 512 pixels that a decoder reads", () => {
  const png = iconPng();
  const view = new DataView(png.buffer, png.byteOffset);
  expect([view.getUint32(16), view.getUint32(20)]).toEqual([512, 512]);
  const idat = view.getUint32(33);
  const rows = inflateSync(png.subarray(41, 41 + idat));
  expect(rows.length).toBe(512 * (1 + 512 * 4));
  // A corner is transparent, the middle of the second candle is not.
  expect(rows[4]).toBe(0);
  expect(rows[256 * 2049 + 1 + 256 * 4 + 3]).toBe(255);
});

/** The executable itself in long runs; otherwise a script that starts it, because packing 110 MB takes 20 s. */
function executable(): string {
  if (LONG) return MKT;
  const path = join(temporaryDirectory(), "mkt");
  writeFileSync(path, `#!/bin/sh\nexec '${MKT}' "$@"\n`, { mode: 0o755 });
  return path;
}

describe.skipIf(OWN === undefined || process.platform === "win32")("a bundle of this platform", () => {
  test("is packed, unpacked, accepted by mcpb validate, and its server answers a client", async () => {
    const folder = temporaryDirectory();
    const executables = [{ platform: OWN!, path: executable() }];
    const [bundle] = await writeMcpb({ version: VERSION, executables, folder, licenses: "of others" });
    expect(bundle).toMatchObject({
      file: `mkt-${VERSION}-${OWN!.os}-${OWN!.nodeArch}.mcpb`,
      bytes: statSync(bundle!.path).size,
      sha256: new Bun.CryptoHasher("sha256").update(readFileSync(bundle!.path)).digest("hex"),
    });

    const unpacked = join(folder, "unpacked");
    expect(await unpackExtension({ mcpbPath: bundle!.path, outputDir: unpacked, silent: true })).toBe(true);
    expect(readFileSync(join(unpacked, ICON_FILE)).equals(iconPng())).toBe(true);
    expect(readFileSync(join(unpacked, "THIRD-PARTY-LICENSES.txt"), "utf8")).toBe("of others");
    const validation = await run(["bun", "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js", "validate", unpacked]);
    expect(validation.stdout).toContain("Manifest schema validation passes!");

    const { command, args, env } = await commandOf(unpacked, { host: "127.0.0.1:1", user: "someone", read_only: true });
    const backend = { host: "127.0.0.1:1", userId: "someone", bearerToken: null };
    expect(readConfiguration(env ?? {}))
      .toMatchObject({ ok: true, configuration: { backend, packs: { readOnly: true } } });
    const names = await toolsOf(command, args ?? [], env ?? {});
    expect(names).toContain("mkt_get_order_book");
    expect(names).not.toContain("mkt_create_test_order");
  });

  test("asks for a host and a user", async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, "manifest.json"), JSON.stringify(mcpbManifest(OWN!, VERSION)));
    await expect(commandOf(folder, { host: "localhost:3001" })).rejects.toThrow("a required setting is missing");
  });
});

/** The names of the tools that the server on stdio offers. */
async function toolsOf(command: string, args: readonly string[], env: Record<string, string>): Promise<string[]> {
  const child = startProcess([command, ...args], {
    env: { ...BARE_ENVIRONMENT, LOG_LEVEL: "error", ...env },
    stdin: "pipe",
    stdout: "pipe",
  });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  for (
    const message of [
      { id: 1, method: "initialize", params },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/list" },
    ]
  ) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  await child.stdin.end();
  const lines = (await new Response(child.stdout).text()).trim().split("\n").map((line) => JSON.parse(line));
  expect(lines.find(({ id }) => id === 1).result.serverInfo).toMatchObject({ name: "mkt", version: VERSION });
  return lines.find(({ id }) => id === 2).result.tools.map(({ name }: { readonly name: string }) => name);
}
