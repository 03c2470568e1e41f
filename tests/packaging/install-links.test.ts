import { describe, expect, test } from "bun:test";
import { CLIENT_FORMATS } from "../../cli/client-config/client-formats.ts";
import { NPM_PACKAGE } from "../../packaging/identity.ts";
import {
  DEMO_SERVER,
  INSTALL_COMMANDS,
  INSTALL_LINKS,
  LOCAL_URL,
} from "../../packaging/install-links/install-links.ts";
import { withInstallLinks } from "../../scripts/install-links.ts";

const readme = await Bun.file(new URL("../../README.md", import.meta.url).pathname).text();
const links = [...readme.matchAll(/\]\((https:\/\/(?:cursor\.com|vscode\.dev)\/[^)\s]+)\)/g)].map(([, link = ""]) =>
  new URL(link)
);
const { cursor, vscode } = CLIENT_FORMATS;
const LOCAL = { url: LOCAL_URL, tokenVariable: null };

describe("the install links of the README", () => {
  test("are those that the clients' formats give now", () => {
    expect(withInstallLinks(readme)).toBe(readme);
    expect(links.map(({ host }) => host)).toEqual(["cursor.com", "cursor.com", "vscode.dev", "vscode.dev"]);
  });

  test("have what mkt client-config prints, encoded as Cursor and VS Code decode it", () => {
    const decoded = links.map(({ host, searchParams }) => {
      expect(searchParams.get("name")).toBe("mkt");
      const config = searchParams.get("config") ?? "";
      return JSON.parse(host === "cursor.com" ? atob(config) : config);
    });
    expect(decoded).toEqual([
      JSON.parse(cursor.stdio(DEMO_SERVER)).mcpServers.mkt,
      JSON.parse(cursor.http(LOCAL)).mcpServers.mkt,
      JSON.parse(vscode.stdio(DEMO_SERVER)).servers.mkt,
      JSON.parse(vscode.http(LOCAL)).servers.mkt,
    ]);
    expect(decoded[0]).toMatchObject({ command: "npx", args: ["-y", NPM_PACKAGE, "demo", "--stdio"] });
    expect(decoded[1]).toEqual({ url: LOCAL_URL });
  });

  test("lead to links of the clients' own schemes with the same configuration", () => {
    const ofCursor = new URL(INSTALL_LINKS.cursor.local.deep);
    expect(`${ofCursor.protocol}//${ofCursor.host}${ofCursor.pathname}`).toBe(
      "cursor://anysphere.cursor-deeplink/mcp/install",
    );
    expect(JSON.parse(atob(ofCursor.searchParams.get("config") ?? ""))).toEqual({ url: LOCAL_URL });
    const [address, query = ""] = INSTALL_LINKS.vscode.local.deep.split("?");
    expect(address).toBe("vscode:mcp/install");
    expect(JSON.parse(decodeURIComponent(query))).toEqual({ name: "mkt", type: "http", url: LOCAL_URL });
  });

  test("have the commands of clients that have one", () => {
    for (const { demo, local } of Object.values(INSTALL_COMMANDS)) {
      expect(readme).toContain(`\`${demo}\``);
      expect(readme).toContain(`\`${local}\``);
    }
  });
});
