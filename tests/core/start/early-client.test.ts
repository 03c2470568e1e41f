// How stdin reaches the early answers and then the SDK: nothing is lost, nothing is read without a bound.

import { describe, expect, test } from "bun:test";
import { EarlyClient, type LineTaker, type StdinReader } from "../../../core/start/early-client.ts";
import { until } from "../../support/until.ts";

const TAKES_NOTHING: LineTaker = { take: () => "waits" };
const TAKES_ONES: LineTaker = { take: (message) => message === 1 ? "taken" : "waits" };

class Reader implements StdinReader {
  text = "";
  readonly events: string[] = [];

  data(chunk: Buffer): void {
    this.text += chunk.toString();
  }

  error(error: Error): void {
    this.events.push(error.message);
  }

  end(): void {
    this.events.push("end");
  }
}
async function* stdin(...chunks: readonly string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

/** Hands everything over to a reader once a line waits, and waits for the end of stdin. */
async function handedOver(client: EarlyClient): Promise<Reader> {
  await client.waits;
  const reader = new Reader();
  client.handOver(reader);
  await until(() => reader.events.at(-1) === "end", "the end");
  return reader;
}

async function* failing() {
  yield Buffer.from("1\n");
  throw new Error("broken");
}

describe("stdin before the SDK", () => {
  test.each([
    ["reaches the reader from the first line on that was not taken", ["1\n", "1", "\r\n2\n1\n", "rest"], "2\n1\nrest"],
    ["that ends without a line that waits gives the reader nothing", ["1\n"], ""],
  ])("%s, with its end last", async (_, chunks, text) => {
    const reader = await handedOver(new EarlyClient(TAKES_ONES, stdin(...chunks)));
    expect(reader).toMatchObject({ text, events: ["end"] });
  });

  test("that fails tells the reader the error, and then its end", async () => {
    const reader = await handedOver(new EarlyClient(TAKES_NOTHING, failing()));
    expect(reader).toMatchObject({ text: "1\n", events: ["broken", "end"] });
  });

  test.each([["lines", `${"x".repeat(1023)}\n`], ["one line", "x".repeat(1024)]])(
    "is not read while 1 MiB waits, in %s; then the reader gets everything",
    async (_name, chunk) => {
      const total = 5000;
      let read = 0;
      async function* flood() {
        for (; read < total; read++) yield Buffer.from(chunk);
      }
      const client = new EarlyClient(TAKES_NOTHING, flood());
      await until(() => read >= 1024, "1 MiB");
      await new Promise(setImmediate);
      expect(read).toBeLessThan(1030);
      expect((await handedOver(client)).text).toBe(chunk.repeat(total));
    },
  );
});
