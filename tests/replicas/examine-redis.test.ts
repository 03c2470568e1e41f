import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { logger } from "../../common/logger.ts";
import { examineRedis } from "../../replicas/examine-redis.ts";
import { run } from "../support/processes.ts";
import { findRedisServer, startRedisServer } from "../support/redis-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const program = findRedisServer("tests of what mkt doctor says of Redis");
const examined = (url: string) => examineRedis({ url, namespace: "mkt" }, "anna", logger("test"));

describe.skipIf(program === null)("what mkt doctor says of Redis", () => {
  test("is ok for a server that keeps what it is told", async () => {
    const redis = await startRedisServer(program!, { appendOnly: true, password: "s3cret" });
    const { state, detail } = await examined(redis.url);
    expect({ state, detail }).toEqual({ state: "ok", detail: expect.stringContaining("ms a round trip") });
    expect(detail).not.toContain("s3cret");
    expect(await redis.command("KEYS", "*")).toEqual([]);
  });

  test("warns of a server that may drop keys, or lose them at a restart", async () => {
    const redis = await startRedisServer(program!, { args: ["--maxmemory-policy", "allkeys-lru"] });
    const { state, detail } = await examined(redis.url);
    expect(state).toBe("warning");
    expect(detail).toContain("allkeys-lru");
    expect(detail).toContain("no append-only file");
  });

  test("names a wrong password, a missing permission, a server without TLS, and one that is not there", async () => {
    const redis = await startRedisServer(program!, { password: "s3cret" });
    const url = new URL(redis.url);
    url.password = "wr0ng";
    const wrong = await examined(url.href);
    expect(wrong.state).toBe("failed");
    expect(wrong.detail).toContain("WRONGPASS");
    expect(wrong.detail).not.toContain("wr0ng");
    await redis.command("ACL", "SETUSER", "narrow", "on", ">pass", "+@all", "~other:*");
    const narrow = await examined(`redis://narrow:pass@127.0.0.1:${redis.port}`);
    expect(narrow.detail).toMatch(/NOPERM.*docs\/security\.md/);
    expect((await examined(`rediss://:s3cret@127.0.0.1:${redis.port}`)).detail).toContain("does not speak TLS");
    await redis.command("CONFIG", "SET", "maxmemory", "1");
    expect((await examined(redis.url)).detail).toMatch(/OOM.*[^.]\. Give it more memory/);
    await redis.kill();
    expect((await examined(redis.url)).detail).toContain("nothing there accepts a connection");
  });

  test("names a certificate that nobody vouches for, and takes it with NODE_EXTRA_CA_CERTS", async () => {
    const directory = temporaryDirectory();
    const [certificate, key] = [join(directory, "cert.pem"), join(directory, "key.pem")];
    const command =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost";
    const outputs = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate];
    expect((await run([...command.split(" "), ...outputs])).exitCode).toBe(0);
    const redis = await startRedisServer(program!, { tls: { certificate, key } });
    const { state, detail } = await examined(redis.url);
    expect(state).toBe("failed");
    expect(detail).toContain("NODE_EXTRA_CA_CERTS");
    const root = join(import.meta.dir, "../..");
    const script = `import { examineRedis } from "${root}/replicas/examine-redis.ts";
      import { logger } from "${root}/common/logger.ts";
      console.log((await examineRedis({ url: "${redis.url}", namespace: "mkt" }, "anna", logger("test"))).state);`;
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate } as Record<string, string>;
    const told = await run([process.execPath, "-e", script], { env });
    expect(told.stdout.trim()).toBe("warning");
  });
});
