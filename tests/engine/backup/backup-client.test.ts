import { afterEach, expect, jest, test } from "bun:test";
import { requestBackup } from "../../../engine/backup/backup-client.ts";
import { atEnd } from "../../support/at-end.ts";

/** The address of an engine that never finishes its answer. `begins`: whether it sends the beginning. */
function silentEngine(begins: boolean) {
  const ended = Promise.withResolvers<void>();
  const stream = () => new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(7)), pull: () => ended.promise });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async () => {
      if (!begins) await ended.promise;
      return new Response(stream(), { headers: { "Content-Type": "application/zstd" } });
    },
  });
  atEnd(() => (ended.resolve(), server.stop(true)));
  return { baseUrl: `http://127.0.0.1:${server.port}`, token: null, userId: "operator" };
}

afterEach(() => void jest.useRealTimers());

test.each([[false, 0], [true, 7]])(
  "ends with an error if the engine sends nothing more; it has begun: %p",
  async (begins, received) => {
    jest.useFakeTimers();
    const bytes = requestBackup(silentEngine(begins), new AbortController().signal);
    if (begins) expect((await bytes.next()).value).toHaveLength(received);
    const next = bytes.next().catch((error) => error);
    jest.advanceTimersByTime(120_000);
    expect((await next).message).toBe(`the engine sent nothing for 120 s, after ${received} bytes; try again`);
  },
);

test("ends with the reason of its signal", async () => {
  const ended = new AbortController();
  const bytes = requestBackup(silentEngine(true), ended.signal);
  await bytes.next();
  const next = bytes.next().catch((error) => error);
  ended.abort(new Error("interrupted"));
  expect((await next).message).toBe("interrupted");
});

test("leaves no timer, whether the engine ends the backup, the caller takes no more, or nothing answers", async () => {
  const headers = { "Content-Type": "application/zstd" };
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("backup", { headers }) });
  atEnd(() => server.stop(true));
  const engine = (port: number) => ({ baseUrl: `http://127.0.0.1:${port}`, token: null, userId: "operator" });
  jest.useFakeTimers();
  let received = 0;
  for await (const { length } of requestBackup(engine(server.port!), new AbortController().signal)) {
    received += length;
    // While the caller works, nothing is waited for.
    expect(jest.getTimerCount()).toBe(0);
  }
  expect([received, jest.getTimerCount()]).toEqual([6, 0]);
  const left = requestBackup(engine(server.port!), new AbortController().signal);
  await left.next();
  await left.return();
  expect(jest.getTimerCount()).toBe(0);
  await expect(requestBackup(engine(1), new AbortController().signal).next()).rejects.toThrow("there is no answer");
  expect(jest.getTimerCount()).toBe(0);
});

const refused = (status: number, code: string, message: string) =>
  Response.json({ error: { code, message } }, { status });
const CHECK = "check that MKT_BASE_URL names an engine of mkt";

test.each<[string, () => Response, string]>([
  [
    "without a right token",
    () => refused(401, "unauthorized", "no"),
    "the engine refused: no; set MKT_BEARER_TOKEN to a token that the engine accepts",
  ],
  [
    "with the token of others",
    () => refused(403, "user_not_covered", "no"),
    "the engine refused: no; set MKT_BEARER_TOKEN to a token that may act as anna",
  ],
  [
    "without permissions",
    () => refused(403, "forbidden", "no"),
    "the engine refused: no; set MKT_USER_ID to a user with the permissions Market.Operate and Scope.Global",
  ],
  ["while another one runs", () => refused(503, "backup_running", "later"), "the engine refused: later"],
  [
    "from a server that has none",
    () => new Response("", { status: 404 }),
    `URL offers no backups (status 404); ${CHECK}`,
  ],
  ["from a proxy that fails", () => new Response("", { status: 502 }), "the engine refused: status 502"],
  [
    "from a web page",
    () => new Response("hello"),
    `URL answered with text/plain;charset=utf-8, not with a backup; ${CHECK}`,
  ],
])("a backup %s is refused, with what to do", async (_, answer, expected) => {
  const asked: (string | null)[][] = [];
  const fetch = ({ url, headers }: Request) => {
    asked.push([new URL(url).pathname, headers.get("authorization"), headers.get("x-mkt-user")]);
    return answer();
  };
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  atEnd(() => server.stop(true));
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const engine = { baseUrl, token: "secret", userId: "anna" };
  const error = await requestBackup(engine, new AbortController().signal).next().catch((error) => error);
  expect(error.message.replace(`the engine at ${baseUrl}`, "URL").replace(baseUrl, "URL")).toBe(expected);
  expect(asked).toEqual([["/api/admin/backup", "Bearer secret", "anna"]]);
});
