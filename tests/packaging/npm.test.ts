// The npm packages, packed and installed by npm into an empty folder, without a network; and the launcher under Node.

import { beforeAll, describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { chmodSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LICENSE, REGISTRY_NAME, VERSION } from "../../packaging/identity.ts";
import { launcherPackage, packLauncher, packPlatform, platformPackage } from "../../packaging/npm/packages.ts";
import { executableName, isInNpm, npmPackageOf, type Platform, PLATFORMS } from "../../packaging/platforms.ts";
import { BARE_ENVIRONMENT, MKT } from "../support/executable.ts";
import { run, startProcess } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { LONG } from "../support/sizes.ts";

const own = PLATFORMS.find((platform) =>
  isInNpm(platform) && platform.nodePlatform === process.platform && platform.nodeArch === process.arch
) as Platform;

describe("the packages", () => {
  test("have one version, and the launcher's depends on exactly this version of all others", () => {
    const { version, optionalDependencies, mcpName } = launcherPackage("1.2.3");
    expect(version).toBe("1.2.3");
    expect(Object.entries(optionalDependencies)).toEqual(
      PLATFORMS.filter(isInNpm).map((platform) => [npmPackageOf(platform), "1.2.3"]),
    );
    expect(mcpName).toBe(REGISTRY_NAME);
  });

  test("say for which operating system and processor they are", () => {
    const fields = PLATFORMS.filter(isInNpm).map((platform) => platformPackage(platform, "1.2.3"));
    expect(fields.map(({ os, cpu }) => `${os}-${cpu}`).join(" "))
      .toBe("linux-x64 linux-arm64 darwin-x64 darwin-arm64 win32-x64");
    expect(fields.map(({ license }) => license)).toEqual(fields.map(() => LICENSE));
  });
});

/** A program in place of the executable: packing the real one takes 10 s. It shows what the launcher passes on. */
const STAND_IN = `#!/bin/sh
case "$1" in
  echo) printf '%s|' "$@"; cat ;;
  status) exit "$2" ;;
  die) kill -s "$2" $$ ;;
  wait) trap 'echo stopped; exit 7' TERM; echo ready; while :; do sleep 0.02; done ;;
esac
`;

// A release packs what a run of test:long has tried.
describe.skipIf(!LONG)("installed by npm, the launcher", () => {
  const folder = temporaryDirectory();
  const launcher = join(folder, "node_modules/.bin/mkt");
  const packageFolder = join(folder, "node_modules", npmPackageOf(own));
  const mkt = (...args: string[]) => run([launcher, ...args], { cwd: folder, env: BARE_ENVIRONMENT });

  /** Runs the launcher in a Node in which this code has run first. */
  const mktAfter = (code: string) => {
    writeFileSync(join(folder, "first.cjs"), code);
    return run(["node", "--require", join(folder, "first.cjs"), launcher, "--version"], { env: BARE_ENVIRONMENT });
  };

  beforeAll(async () => {
    const executable = join(folder, executableName(own));
    writeFileSync(executable, STAND_IN);
    chmodSync(executable, 0o755);
    const options = { version: VERSION, folder, licenses: "Do as you like.\n" };
    const files = [await packLauncher(options), await packPlatform({ platform: own, path: executable }, options)];
    writeFileSync(join(folder, "package.json"), "{}");
    const npm = ["npm", "install", "--offline", "--no-audit", "--no-fund", ...files.map((file) => `./${file}`)];
    const { exitCode, stderr } = await run(npm, { cwd: folder, env: BARE_ENVIRONMENT });
    if (exitCode !== 0) throw new Error(`npm install failed: ${stderr}`);
  });

  test("passes arguments and standard input to the executable", async () => {
    const child = startProcess([launcher, "echo", "a b", "", "--c='d'"], { stdin: "pipe", stdout: "pipe" });
    child.stdin.write("text");
    child.stdin.end();
    expect(await new Response(child.stdout).text()).toBe("echo|a b||--c='d'|text");
    expect(await child.exited).toBe(0);
  });

  test("ends with the status or the signal of the executable", async () => {
    expect((await mkt("status", "3")).exitCode).toBe(3);
    const child = startProcess([launcher, "die", "KILL"]);
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
  });

  test("forwards SIGTERM and waits for the executable", async () => {
    const child = startProcess([launcher, "wait"], { stdout: "pipe" });
    const reader = child.stdout.pipeThrough(
      new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>,
    ).getReader();
    expect((await reader.read()).value).toBe("ready\n");
    child.kill("SIGTERM");
    expect((await reader.read()).value).toBe("stopped\n");
    expect(await child.exited).toBe(7);
  });

  test("is installed with licences", async () => {
    expect(await Bun.file(join(packageFolder, "LICENSE")).text()).toContain("The mkt authors");
    expect(await Bun.file(join(packageFolder, "THIRD-PARTY-LICENSES.txt")).text()).toBe("Do as you like.\n");
  });

  test("says what to do on a platform without an executable, and on one with musl", async () => {
    const freebsd = await mktAfter(`Object.defineProperty(process, "platform", { value: "freebsd" });`);
    expect(freebsd).toMatchObject({ exitCode: 1, stdout: "" });
    const words = `there is no executable for freebsd-${process.arch}, only for linux-x64, linux-arm64`;
    expect(freebsd.stderr).toContain(words);
    const musl = await mktAfter(`process.report.getReport = () => ({ header: {} });`);
    expect(musl).toMatchObject({ exitCode: 1, stdout: "" });
    expect(musl.stderr).toContain("need glibc, and this system has musl");
  });

  describe("with the real executable", () => {
    const settings = { MKT_HOST: "127.0.0.1:1", MKT_USER_ID: "operator", MKT_AUDIT_STORE: "backend" };
    const environment = { ...BARE_ENVIRONMENT, ...settings };

    beforeAll(() => {
      renameSync(join(packageFolder, "bin/mkt"), join(packageFolder, "bin/stand-in"));
      symlinkSync(MKT, join(packageFolder, "bin/mkt"));
    });

    test("prints its version, which is the one of the packages", async () => {
      expect(await mkt("--version")).toEqual({ exitCode: 0, stdout: `${VERSION}\n`, stderr: "" });
    });

    test("serves an MCP client on stdio", async () => {
      const transport = new StdioClientTransport({ command: launcher, env: environment, stderr: "ignore" });
      const client = new Client({ name: "test", version: "1" });
      await client.connect(transport);
      expect(client.getServerVersion()).toMatchObject({ name: "mkt", version: VERSION });
      expect((await client.listTools()).tools.length).toBeGreaterThan(10);
      await client.close();
    });

    test.each(["the launcher alone", "both, as terminals and service managers do"])(
      "a SIGTERM to %s ends a server in an orderly way",
      async (receiver) => {
        const child = startProcess([launcher], { env: { ...environment, MCP_HTTP_PORT: "0" }, stderr: "pipe" });
        const decoder = new TextDecoder();
        let text = "";
        for await (const chunk of child.stderr) {
          text += decoder.decode(chunk, { stream: true });
          if (!text.includes("serving") || text.includes("shutting down")) continue;
          if (receiver === "the launcher alone") child.kill("SIGTERM");
          else process.kill(-child.pid, "SIGTERM");
        }
        expect(text).toContain("shutting down");
        expect(await child.exited).toBe(0);
      },
    );
  });

  test("says which package to install if it is missing", async () => {
    renameSync(packageFolder, `${packageFolder}-away`);
    const { exitCode, stderr } = await mkt("--version");
    renameSync(`${packageFolder}-away`, packageFolder);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`npm install ${npmPackageOf(own)}@${VERSION}`);
  });
});
