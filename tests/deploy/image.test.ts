// The Dockerfile: rules of the linter hadolint that concern it, and what the image must be. Whether it builds is tried by hand.

import { describe, expect, test } from "bun:test";
import packageJson from "../../package.json" with { type: "json" };
import { LICENSE, PROGRAM_NAME, REGISTRY_NAME, REPOSITORY } from "../../packaging/identity.ts";
import { deployed, expectCommand } from "./support.ts";

interface Instruction {
  readonly name: string;
  readonly text: string;
}

const source = await deployed("Dockerfile");
const instructions: readonly Instruction[] = source.replaceAll(/^#.*\n/gm, "").replaceAll("\\\n", " ").split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => {
    const [, name = "", text = ""] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    return { name, text: text.replaceAll(/\s+/g, " ") };
  });
const named = (name: string) => instructions.filter((each) => each.name === name).map(({ text }) => text);
/** The instructions of the image itself, after the stages that build it. */
const last = instructions.slice(instructions.findLastIndex(({ name }) => name === "FROM"));

describe("the Dockerfile", () => {
  test("has only instructions that are not deprecated, and each of the last stage once", () => {
    const known = ["FROM", "WORKDIR", "COPY", "RUN", "SHELL", "LABEL", "USER", "VOLUME", "ENV", "EXPOSE", "STOPSIGNAL"];
    for (const { name } of instructions) expect([...known, "HEALTHCHECK", "ENTRYPOINT"]).toContain(name);
    const names = last.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test("names the version of every base image", () => {
    const stages = named("FROM").map((text) => / AS (\w+)$/.exec(text)?.[1]);
    for (const text of named("FROM")) {
      const [image = ""] = text.split(" ");
      if (image !== "scratch" && !stages.includes(image)) expect(image).toMatch(/^[a-z/]+:(?!latest)[\w.-]+$/);
    }
  });

  test("fails if a part of a pipe fails", () => {
    const pipes = instructions.findIndex(({ name, text }) => name === "RUN" && / \| /.test(text));
    const shell = instructions.findIndex(({ name, text }) => name === "SHELL" && text.includes("pipefail"));
    expect(shell).toBeGreaterThan(0);
    expect(pipes).toBeGreaterThan(shell);
  });

  test("builds with the version of Bun that package.json names", () => {
    expect(named("FROM")[0]).toBe(`oven/${packageJson.packageManager.replace("@", ":")} AS build`);
  });
});

describe("the image", () => {
  const of = (name: string) => last.find((each) => each.name === name)?.text ?? "";

  test("contains nothing but the executable and what it needs", () => {
    expect(of("FROM")).toBe("scratch");
    expect(last.filter(({ name }) => name === "RUN")).toEqual([]);
  });

  test("brings the licence of the C library, which it copies from Debian", () => {
    expect(named("RUN").join("\n")).toContain("--target-directory=/system /usr/share/doc/libc6/copyright ");
  });

  test("runs as a user with a fixed number, who is not root, and who owns the data", () => {
    expect(of("USER")).toBe("10001:10001");
    expect(of("VOLUME")).toBe("/data");
    expect(source).toContain("chown 10001:10001 /system/data");
  });

  test("starts the executable without a shell, checks it with itself, and stops it by SIGTERM", async () => {
    expect(JSON.parse(of("ENTRYPOINT"))).toEqual(["mkt"]);
    const [program, ...command] = JSON.parse(of("HEALTHCHECK").replace(/^.* CMD /, "")) as string[];
    expect(program).toBe("mkt");
    await expectCommand(command);
    expect(of("STOPSIGNAL")).toBe("SIGTERM");
  });

  test("listens where a container is reached, on the port that it exposes", () => {
    expect(of("ENV")).toContain("MCP_HTTP_HOST=0.0.0.0 MCP_HTTP_PORT=4087");
    expect(of("EXPOSE")).toBe("4087");
  });

  test("says what it is, with the names of the other packages", () => {
    const labels = of("LABEL").matchAll(/([\w.]+)="([^"]*)"/g);
    expect(Object.fromEntries([...labels].map(([, key, value]) => [key, value]))).toEqual({
      "org.opencontainers.image.title": PROGRAM_NAME,
      "org.opencontainers.image.licenses": LICENSE,
      "org.opencontainers.image.source": REPOSITORY,
      "io.modelcontextprotocol.server.name": REGISTRY_NAME,
    });
  });

  test("is built without the tokens and passwords of the Compose files", async () => {
    const ignored = (await deployed("Dockerfile.dockerignore")).split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["deploy/secrets", "**/.env"]));
  });
});
