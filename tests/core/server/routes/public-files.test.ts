// How public files are sent: compressed or not, and not again if the browser has them.

import { describe, expect, test } from "bun:test";
import { gunzipSync } from "bun";
import { createHash, randomBytes } from "node:crypto";
import type { PublicFile } from "../../../../core/routes/route.ts";
import { PublicFiles } from "../../../../core/server/routes/public-files.ts";

const TEXT = "console.log('é');\n".repeat(1_000);
const FILE: PublicFile = { content: TEXT, contentType: "text/javascript; charset=utf-8" };
const files = new PublicFiles();

function get(file: PublicFile, headers: Record<string, string> = {}, from = files): Promise<Response> {
  return from.answer(file, new Request("http://localhost/acme.js", { headers }));
}

const header = (name: string) => ({ headers }: Response) => headers.get(name);
const [encoding, etag, vary] = [header("Content-Encoding"), header("ETag"), header("Vary")];

describe("a file", () => {
  test.each([
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "gzip"],
    ["br;q=1.0, GZIP ; q=0.5", "gzip"],
    ["*", "gzip"],
    ["gzip;q=0", null],
    ["gzip;q=0.000, *", null],
    ["*;q=0", null],
    ["identity", null],
    ["gzipped, x", null],
    ["", null],
    [undefined, null],
  ])("for Accept-Encoding %p is encoded as %p", async (accepted, expected) => {
    const answer = await get(FILE, accepted === undefined ? {} : { "Accept-Encoding": accepted });
    expect([answer.status, encoding(answer), vary(answer)]).toEqual([200, expected, "Accept-Encoding"]);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(new TextDecoder().decode(expected === null ? bytes : gunzipSync(bytes))).toBe(TEXT);
    if (expected !== null) expect(bytes.length).toBeLessThan(TEXT.length / 10);
  });

  test.each<[string, PublicFile["content"]]>([
    ["that is short", "x".repeat(999)],
    ["that is compressed already", new Uint8Array(randomBytes(5_000))],
    ["that is empty", ""],
  ])("%s is sent as it is, and does not vary", async (_, content) => {
    const answer = await get({ ...FILE, content }, { "Accept-Encoding": "gzip" });
    expect([encoding(answer), vary(answer)]).toEqual([null, null]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(content as string));
  });

  test("has a strong tag of its content, which differs for its compressed form", async () => {
    const [plain, compressed] = [await get(FILE), await get(FILE, { "Accept-Encoding": "gzip" })];
    const hash = createHash("sha256").update(TEXT).digest("base64url");
    expect([etag(plain), etag(compressed)]).toEqual([`"${hash}"`, `"${hash}-gzip"`]);
    expect(etag(await get({ ...FILE, content: `${TEXT} ` }))).not.toBe(etag(plain));
  });

  test("that the browser has is 304 without a body, with its tag and its rules of caching", async () => {
    const file = { ...FILE, cacheControl: "no-cache" };
    const own = etag(await get(file, { "Accept-Encoding": "gzip" })) ?? "";
    for (const known of [own, `"other", ${own}`, `W/${own}`, "*"]) {
      const answer = await get(file, { "Accept-Encoding": "gzip", "If-None-Match": known });
      expect([answer.status, await answer.text(), etag(answer)]).toEqual([304, "", own]);
      expect([vary(answer), header("Cache-Control")(answer), header("Content-Type")(answer), encoding(answer)])
        .toEqual(["Accept-Encoding", "no-cache", null, null]);
    }
    for (const known of ['"other"', own.slice(1, -1), "", ","]) {
      expect((await get(file, { "Accept-Encoding": "gzip", "If-None-Match": known })).status).toBe(200);
    }
    // The tag is that of the other form.
    expect((await get(file, { "If-None-Match": own })).status).toBe(200);
  });

  test("is made once, at its first request; a failure is tried again at the next one", async () => {
    const own = new PublicFiles();
    let made = 0;
    const file: PublicFile = {
      ...FILE,
      content: () => {
        made += 1;
        if (made === 1) throw new Error("not yet");
        return Promise.resolve(TEXT);
      },
    };
    await expect(get(file, {}, own)).rejects.toThrow("not yet");
    const answers = await Promise.all([get(file, {}, own), get(file, {}, own)]);
    for (const answer of answers) expect(await answer.text()).toBe(TEXT);
    await get(file, {}, own);
    expect(made).toBe(2);
  });

  test("has the policy of its page, which forbids frames", async () => {
    const answer = await get({ ...FILE, contentSecurityPolicy: "default-src 'none'" });
    expect(header("Content-Security-Policy")(answer)).toBe("default-src 'none', frame-ancestors 'none'");
  });
});
