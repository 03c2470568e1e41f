// Many subscribers to the order books of a busy market: engine with the preset stress at speed 100, and MCP server over HTTP,
// each the compiled executable. After the simulation has stopped, each subscriber's last update must have come after the last
// change: what it has read since then is what a read gives now.

import { expect, test } from "bun:test";
import { SimulatorApi } from "../sim/live/support.ts";
import { startEngineProcess, startHttpServer } from "../support/executable.ts";
import { memoryMb } from "../support/processes.ts";
import { LONG } from "../support/sizes.ts";
import { until } from "../support/until.ts";
import { modernOverHttp, type ModernSubscriber } from "../support/subscriber.ts";

const SUBSCRIBERS = 200;
const DURATION_MS = 60_000;
/** Each subscriber follows so many, and together they follow all. */
const BOOKS_OF_EACH = 3;
/** A subscriber hears of a book at most so often. */
const INTERVAL_MS = 250;
/** How many books are read at once, by all subscribers together: enough to read each soon after its update. */
const READERS = 4;
/** So few that the buffer is full in the first third. */
const MKT_EVENT_BUFFER_SIZE = "500";
/** Of the server, from the second to the last third of the time. The closed orders of the market take some megabytes of it. */
const MAX_GROWTH_MB = 25;

/** A subscriber that reads a book again some time after each update of it. */
class BookReader {
  readonly content = new Map<string, string>();
  readonly outdated = new Set<string>();
  /** When it asked for its subscription. */
  beganMs = 0;

  constructor(readonly subscriber: ModernSubscriber, readonly uris: readonly string[]) {
    subscriber.told.onUpdate = (uri) => this.outdated.add(uri);
  }

  async subscribe(): Promise<void> {
    this.beganMs = performance.now();
    const { honoredFilter } = await this.subscriber.listen({ resourceSubscriptions: [...this.uris] });
    expect(honoredFilter.resourceSubscriptions).toEqual([...this.uris]);
    for (const uri of this.uris) this.outdated.add(uri);
  }

  /** Reads one book that was updated since it was read. False if there is none. */
  async readOne(): Promise<boolean> {
    const [uri] = this.outdated;
    if (uri === undefined) return false;
    this.outdated.delete(uri);
    this.content.set(uri, await contentOf(this.subscriber, uri));
    return true;
  }

  /** The most updates of one book, in updates for each interval of the time that it took part. */
  busiest(): number {
    const intervals = (performance.now() - this.beganMs) / INTERVAL_MS;
    return Math.max(...this.uris.map((uri) => (this.subscriber.told.of(uri) - 1) / intervals));
  }
}

/** The text of the resource, or why there is none: contracts expire. */
async function contentOf({ client }: ModernSubscriber, uri: string): Promise<string> {
  try {
    const { contents } = await client.readResource({ uri });
    return JSON.stringify(contents);
  } catch (error) {
    return (error as Error).message;
  }
}

async function readInTurn(readers: readonly BookReader[], offset: number, signal: AbortSignal): Promise<void> {
  for (let at = offset; !signal.aborted; at += READERS) {
    const hasRead = await readers[at % readers.length]?.readOne();
    if (hasRead !== true) await Bun.sleep(1);
  }
}

async function memoryOver(pid: number, durationMs: number): Promise<number[]> {
  const began = performance.now();
  const looks: number[] = [];
  while (performance.now() - began < durationMs) {
    looks.push(await memoryMb(pid));
    await Bun.sleep(200);
  }
  return looks;
}

/** The median of each third. */
function thirds(looks: readonly number[]): number[] {
  const length = Math.floor(looks.length / 3);
  return [0, 1, 2].map((third) => {
    const part = looks.slice(third * length, (third + 1) * length).sort((a, b) => a - b);
    return part[Math.floor(part.length / 2)] ?? NaN;
  });
}

test.skipIf(!LONG)(
  `${SUBSCRIBERS} subscribers to order books hear of the last change of each, and not too often`,
  async () => {
    const engine = await startEngineProcess();
    const server = await startHttpServer({
      ...engine.environmentFor("operator"),
      MKT_AUTO_CONNECT: "1",
      MKT_EVENT_BUFFER_SIZE,
    });
    const simulator = new SimulatorApi(engine.url);
    await simulator.start({ preset: "stress", speed: 100, seed: 5 });

    const witness = await modernOverHttp(server.url);
    const books = await until(async () => {
      const { resources } = await witness.client.listResources();
      return resources.map(({ uri }) => uri).filter((uri) => uri.startsWith("mkt://order-book/"));
    }, (books) => books.length >= BOOKS_OF_EACH);
    const readers: BookReader[] = [];
    for (let made = 0; made < SUBSCRIBERS; made += 1) {
      const uris = Array.from({ length: BOOKS_OF_EACH }, (_, at) => books[(made * BOOKS_OF_EACH + at) % books.length]!);
      const reader = new BookReader(await modernOverHttp(server.url), uris);
      await reader.subscribe();
      readers.push(reader);
    }

    const reading = new AbortController();
    const running = Array.from({ length: READERS }, (_, offset) => readInTurn(readers, offset, reading.signal));
    const memory = thirds(await memoryOver(server.pid, DURATION_MS));
    const updates = () => readers.reduce((sum, { subscriber }) => sum + subscriber.told.updates.length, 0);
    await until(() => updates() > SUBSCRIBERS, "some updates");
    await simulator.stop();
    // A subscriber only reads again if it is told to, so a lost update would never be made good.
    await until(
      async () => (await outdated(readers, witness, books)).length === 0,
      "all subscribers to have read the last state",
    );
    reading.abort();
    await Promise.all(running);

    console.log(
      `${SUBSCRIBERS} subscribers, ${books.length} books, ${updates()} updates, memory by thirds ` +
        `${memory.map((megabytes) => megabytes.toFixed()).join(", ")} MB`,
    );
    expect(Math.max(...readers.map((reader) => reader.busiest()))).toBeLessThanOrEqual(1);
    expect(memory[2]! - memory[1]!).toBeLessThan(MAX_GROWTH_MB);
  },
);

/** The books that a subscriber knows in another state than they are in now. */
async function outdated(readers: readonly BookReader[], witness: ModernSubscriber, books: readonly string[]) {
  const now = new Map(await Promise.all(books.map(async (uri) => [uri, await contentOf(witness, uri)] as const)));
  return readers.flatMap(({ uris, content }) => uris.filter((uri) => content.get(uri) !== now.get(uri)));
}
