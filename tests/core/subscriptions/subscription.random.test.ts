// Random subscriptions against a model: topics that change, clients that stop reading and go on, follow, unfollow and leave.

import { expect, test } from "bun:test";
import { ChangeWatch, ROUND_MS, type Topic } from "../../../core/subscriptions/change-watch.ts";
import { type Delivery, type Share, Subscription } from "../../../core/subscriptions/subscription.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { type LastSteps, SEED, withSeedInFailures } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { ArtificialClock } from "./artificial-clock.ts";

const RUNS = size(250, 20_000);
const STEPS = 300;
const TOPICS = 5;
const CLIENTS = 4;

const BOUNDLESS: Share = { takeTopic: () => {}, releaseTopics: () => {}, release: () => {} };

class ChangingTopic implements Topic {
  value = 0;
  reads = 0;
  constructor(readonly key: string) {}
  version(): number {
    this.reads += 1;
    return this.value;
  }
}

/** What a client knows of one topic that it follows. */
interface Known {
  /** The value at the last update, or when it began to follow. */
  value: number;
  toldAt: number;
}

/** A client that reads or doesn't, and checks every update against what the protocol promises. */
class Client implements Delivery {
  isReading = true;
  readonly known = new Map<string, Known>();
  readonly subscription: Subscription;
  updates = 0;

  constructor(watch: ChangeWatch, private readonly run: Run) {
    this.subscription = new Subscription(watch, BOUNDLESS);
  }

  deliver(keys: readonly string[]): void {
    expect(this.isReading).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) {
      const known = this.known.get(key);
      if (known === undefined) throw new Error(`an update of ${key}, which it doesn't follow`);
      expect(this.run.clock.now - known.toldAt).toBeGreaterThanOrEqual(ROUND_MS);
      known.toldAt = this.run.clock.now;
      known.value = this.run.topics.get(key)!.value;
      this.updates += 1;
    }
  }

  rest(): void {
    expect(this.isReading).toBe(true);
  }

  end(): void {
    throw new Error("nobody ends it");
  }
}

class Run {
  readonly clock = new ArtificialClock();
  readonly topics = new Map(
    Array.from({ length: TOPICS }, (_, at) => [`topic-${at}`, new ChangingTopic(`topic-${at}`)]),
  );
  readonly watch = new ChangeWatch({ schedule: this.clock.schedule });
  readonly clients = new Set<Client>();

  constructor(private readonly random: SeededRandom) {}

  step(steps: LastSteps): void {
    const topic = this.#one([...this.topics.values()]);
    const client = this.clients.size === 0 ? undefined : this.#one([...this.clients]);
    const choice = this.random.next();
    steps.add({ choice, topic: topic.key, value: topic.value, clients: this.clients.size });
    if (choice < 0.3) topic.value += 1;
    else if (choice < 0.6) this.clock.advance(this.random.integer(1, 2 * ROUND_MS));
    else if (choice < 0.7) this.#enter();
    else if (client === undefined) return;
    else if (choice < 0.85) this.#toggle(client, topic);
    else if (choice < 0.97) client.isReading = !client.isReading;
    else this.#leave(client);
    expect(this.clock.pending).toBe(this.clients.size === 0 ? 0 : 1);
  }

  /** After a quiet time each client that reads knows the last value of all that it follows; no other client hears of it. */
  settle(): void {
    const before = new Map([...this.clients].map((client) => [client, client.updates]));
    this.clock.advance(3 * ROUND_MS);
    for (const client of this.clients) {
      if (!client.isReading) expect(client.updates).toBe(before.get(client)!);
      else for (const [key, { value }] of client.known) expect(value).toBe(this.topics.get(key)!.value);
    }
    const updates = [...this.clients].map((client) => client.updates);
    this.clock.advance(3 * ROUND_MS);
    expect([...this.clients].map((client) => client.updates)).toEqual(updates);
  }

  #enter(): void {
    if (this.clients.size === CLIENTS) return;
    const client = new Client(this.watch, this);
    client.subscription.begin(client);
    this.clients.add(client);
  }

  #leave(client: Client): void {
    client.subscription.close();
    client.known.clear();
    this.clients.delete(client);
  }

  #toggle(client: Client, topic: ChangingTopic): void {
    if (client.known.delete(topic.key)) return client.subscription.unfollow(topic.key);
    client.subscription.follow(topic);
    client.known.set(topic.key, { value: topic.value, toldAt: -Infinity });
  }

  #one<Item>(items: readonly Item[]): Item {
    return items[this.random.integer(0, items.length - 1)]!;
  }
}

test(`in ${RUNS} random runs every last change is told, no sooner than the interval, and only to clients that read`, async () => {
  for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
    await withSeedInFailures((steps) => {
      const world = new Run(new SeededRandom(seed));
      for (let step = 0; step < STEPS; step += 1) {
        world.step(steps);
        if (step % 50 === 49) world.settle();
      }
      for (const client of world.clients) client.isReading = true;
      world.settle();
    }, seed);
  }
});

function oneTopic() {
  const clock = new ArtificialClock();
  return { clock, watch: new ChangeWatch({ schedule: clock.schedule }), topic: new ChangingTopic("topic") };
}

test("a topic is asked for its version once in a round, however many follow it, and not at all if nobody does", () => {
  const { clock, watch, topic } = oneTopic();
  const subscriptions = Array.from({ length: 10 }, () => new Subscription(watch, BOUNDLESS));
  for (const subscription of subscriptions) subscription.follow(topic);
  const atFirst = topic.reads;
  clock.advance(4 * ROUND_MS);
  expect(topic.reads).toBe(atFirst + 4);
  for (const subscription of subscriptions) subscription.close();
  clock.advance(4 * ROUND_MS);
  expect(topic.reads).toBe(atFirst + 4);
  expect(clock.pending).toBe(0);
});

test("a topic is asked for its version only as long as somebody follows it, while others follow other topics", () => {
  const { clock, watch } = oneTopic();
  const [left, unfollowed, followed] = ["left", "unfollowed", "followed"].map((key) => new ChangingTopic(key));
  const [leaver, stayer, other] = Array.from({ length: 3 }, () => new Subscription(watch, BOUNDLESS));
  for (const subscription of [leaver!, stayer!, other!]) subscription.follow(unfollowed!);
  leaver!.follow(left!);
  stayer!.follow(followed!);
  leaver!.close();
  for (const subscription of [stayer!, other!]) subscription.unfollow(unfollowed!.key);
  const before = [left!, unfollowed!, followed!].map(({ reads }) => reads);
  clock.advance(3 * ROUND_MS);
  const reads = [left!, unfollowed!, followed!].map(({ reads }, at) => reads - before[at]!);
  expect(reads).toEqual([0, 0, 3]);
});

test("changes before the client is told of its subscription are kept, and come as one update", () => {
  const { clock, watch, topic } = oneTopic();
  const subscription = new Subscription(watch, BOUNDLESS);
  subscription.follow(topic);
  for (let change = 0; change < 5; change += 1) {
    topic.value += 1;
    clock.advance(ROUND_MS);
  }
  const calls: (readonly string[])[] = [];
  const rest = () => calls.push([]);
  subscription.begin({ isReading: true, deliver: (keys) => calls.push(keys), rest, end: () => {} });
  clock.advance(3 * ROUND_MS);
  expect(calls).toEqual([["topic"], [], []]);
});
