import { describe, expect, test } from "bun:test";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examineTokens } from "../../../cli/doctor/token-finding.ts";
import { configurationFor } from "../../core/support/services.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const folder = temporaryDirectory();
const file = join(folder, "tokens");

const finding = (environment: Record<string, string>) => examineTokens(configurationFor(environment));

describe("doctor's finding about tokens", () => {
  const http = { MCP_HTTP_PORT: "0" };

  test("is off if no token is required", () => {
    expect(finding({})).toMatchObject({ state: "off", detail: "stdio needs no token" });
    expect(finding(http)).toMatchObject({ state: "off", detail: expect.stringContaining("MCP_BEARER_TOKEN") });
  });

  test("counts the accepted tokens, and those of people", () => {
    writeFileSync(file, `a ${"x".repeat(16)} person\nb ${"y".repeat(16)}\n`, { mode: 0o600 });
    const settings = { ...http, MCP_BEARER_TOKEN: "z".repeat(16), MCP_BEARER_TOKEN_FILE: file };
    const detail = "tokens accepted over HTTP: 3, held by people: 1";
    expect(finding(settings)).toEqual({ subject: "tokens", state: "ok", detail });
    writeFileSync(file, `a ${"x".repeat(16)}\n`, { mode: 0o600 });
    expect(finding(settings).detail).toEndWith("held by people: 0, so nobody can take control in the dashboard");
  });

  test("warns of a file that others may read and of short tokens, without showing a token", () => {
    writeFileSync(file, `a ${"x".repeat(16)}\n`);
    chmodSync(file, 0o640);
    const settings = { ...http, MCP_BEARER_TOKEN: "hush-1", MKT_BEARER_TOKEN: "hush-2", MCP_BEARER_TOKEN_FILE: file };
    const { state, detail } = finding(settings);
    expect(state).toBe("warning");
    for (const part of ["MCP_BEARER_TOKEN has fewer", "MKT_BEARER_TOKEN has fewer", `${file} has the mode 0640`]) {
      expect(detail).toContain(part);
    }
    expect(detail).not.toContain("hush");
  });

  test("names the file of a short token for the backend", () => {
    writeFileSync(file, "hush-2\n", { mode: 0o600 });
    chmodSync(file, 0o600);
    expect(finding({ MKT_BEARER_TOKEN_FILE: file }).detail).toStartWith(
      `MKT_BEARER_TOKEN_FILE (${file}) has fewer than`,
    );
  });

  test("looks at the tokens that an engine with this environment accepts", () => {
    const ofEngine = (content: string) => {
      writeFileSync(file, content, { mode: 0o600 });
      chmodSync(file, 0o600);
      return examineTokens(configurationFor(), { MKT_ENGINE_TOKEN_FILE: file });
    };
    expect(ofEngine(`a ${"x".repeat(16)} *\n`).state).toBe("off");
    expect(ofEngine(`a ${"x".repeat(16)} *\nb hush *\n`)).toEqual({
      subject: "tokens",
      state: "failed",
      detail: `${file}: line 2: the token must have at least 16 characters`,
    });
  });

  test("fails for a file that has become invalid", () => {
    writeFileSync(file, `a ${"x".repeat(16)}\n`, { mode: 0o600 });
    const configuration = configurationFor({ ...http, MCP_BEARER_TOKEN_FILE: file });
    rmSync(file);
    expect(examineTokens(configuration)).toMatchObject({ state: "failed" });
  });
});
