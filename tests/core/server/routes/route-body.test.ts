import { describe, expect, test } from "bun:test";
import { routeBody } from "../../../../core/server/routes/route-body.ts";

const text = new TextDecoder();

describe("the body of an answer", () => {
  test.each<[string, BodyInit | null, string]>([
    ["text", "abc", "abc"],
    ["nothing", null, ""],
    ["bytes", new Uint8Array([97, 98]), "ab"],
    ["a stream that is complete at once", streamOf("a", "", "b"), "ab"],
  ])("that is %s is whole", async (_, given, expected) => {
    const body = await routeBody(new Response(given));
    expect(body.kind === "whole" ? text.decode(body.bytes) : body.kind).toBe(expected);
  });

  test("that is not complete at once, or longer than 1 MiB, comes in parts, all of them and in order", async () => {
    const later = Promise.withResolvers<void>();
    const slow = new ReadableStream<string>({
      start: (controller) => controller.enqueue("one"),
      pull: async (controller) => {
        await later.promise;
        controller.enqueue("");
        controller.enqueue("two");
        controller.close();
      },
    });
    const body = await routeBody(new Response(slow));
    const long = await routeBody(new Response("x".repeat(5_000_000)));
    const kinds = [0, 1].map(async (more) => (await routeBody(new Response("x".repeat((1 << 20) + more)))).kind);
    expect(await Promise.all(kinds)).toEqual(["whole", "parts"]);
    later.resolve();
    expect(await textOf(body)).toBe("onetwo");
    expect(await textOf(long)).toHaveLength(5_000_000);
  });

  test("that was read already, or is neither text nor bytes, is a fault of the pack", async () => {
    const read = new Response("a");
    await read.text();
    await expect(routeBody(read)).rejects.toThrow("has been read");
    const numbers = new ReadableStream({ start: (controller) => controller.enqueue(7) });
    await expect(routeBody(new Response(numbers))).rejects.toThrow("neither text nor bytes");
  });
});

function streamOf(...parts: readonly string[]): ReadableStream<string> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

async function textOf(body: Awaited<ReturnType<typeof routeBody>>): Promise<string> {
  if (body.kind === "whole") throw new Error("the body is whole");
  let all = "";
  for (let part = await body.next(); part !== null; part = await body.next()) {
    expect(part.byteLength).toBeGreaterThan(0);
    all += text.decode(part);
  }
  return all;
}
