import { describe, expect, test } from "bun:test";
import { CLIENT_FORMATS } from "../../cli/client-config/client-formats.ts";
import { NPM_PACKAGE } from "../../packaging/identity.ts";
import { PLATFORMS } from "../../packaging/platforms.ts";
import { tellsOfRelease } from "../../packaging/release/sizes.ts";
import { DEMO_SERVER, INSTALL_LINKS, installCommands, LOCAL_URL } from "../../packaging/install-links/install-links.ts";
import { withInstallLinks, withRelease } from "../../scripts/install-links.ts";

const present = await Bun.file(new URL("../../README.md", import.meta.url).pathname).text();
const released = withRelease(
  present,
  PLATFORMS.map((platform) => ({ platform, archiveBytes: 59e6, executableBytes: 126e6 })),
);

function linksOf(readme: string): URL[] {
  const links = readme.matchAll(/\]\((https:\/\/(?:cursor\.com|vscode\.dev)\/[^)\s]+)\)/g);
  return [...links].map(([, link = ""]) => new URL(link));
}

const { cursor, vscode } = CLIENT_FORMATS;
const LOCAL = { url: LOCAL_URL, tokenVariable: null };

describe("the install links of the README", () => {
  test("are those that the clients' formats give now", () => {
    expect(withInstallLinks(present)).toBe(present);
  });

  test("lead to the npm package, and the README to archives and bundles, only if there is a release", () => {
    for (const readme of [present, released]) {
      expect(readme.includes("There is no release yet")).toBe(!tellsOfRelease(readme));
      const ofRelease = [
        `npx ${NPM_PACKAGE}`,
        `npx -y ${NPM_PACKAGE}`,
        "SHA256SUMS",
        ".mcpb",
        "/releases",
        "start the demo]",
      ];
      for (const each of ofRelease) expect([each, readme.includes(each)]).toEqual([each, tellsOfRelease(readme)]);
    }
    expect(tellsOfRelease(released)).toBe(true);
    expect(linksOf(released).map(({ host }) => host)).toEqual(["cursor.com", "cursor.com", "vscode.dev", "vscode.dev"]);
  });

  test("have what mkt client-config prints, encoded as Cursor and VS Code decode it", () => {
    const decoded = linksOf(released).map(({ host, searchParams }) => {
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
    for (const readme of [present, released]) {
      for (const { demo, local } of Object.values(installCommands(tellsOfRelease(readme)))) {
        expect(readme).toContain(`\`${demo}\``);
        expect(readme).toContain(`\`${local}\``);
      }
    }
  });
});
