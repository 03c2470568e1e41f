// Which topics have changed. Four times a second, as long as somebody subscribes, it asks each subscribed topic for its version
// once, tells the subscribers of those that have changed, and then ends the round.
//
// Invariants: rounds are at least ROUND_MS apart. A change between two rounds is seen in the second one, unless the version is
// then the same as before.
// Cost: nothing without subscribers. A round asks for one version of each distinct topic and looks once at each subscriber,
// so neither the market's events nor further subscribers of a topic cost anything.

/** A subscriber hears of a topic at most once in this time, in milliseconds. */
export const ROUND_MS = 250;

/** What can change: a resource, or the list of resources. Topics with the same key are the same. */
export interface Topic {
  readonly key: string;
  /** Another value, by Object.is, after each change. Never throws. */
  version(): unknown;
}

export interface Subscriber {
  /** The topic has changed since the last round, or since the subscriber began to follow it. */
  changed(key: string): void;
  /** Everything that has changed was told. */
  roundEnded(): void;
}

/** Runs `run` after `delayMs`, unless the returned function is called before. */
export type Schedule = (run: () => void, delayMs: number) => () => void;

interface Followed {
  readonly topic: Topic;
  version: unknown;
  readonly subscribers: Set<Subscriber>;
}

interface ChangeWatchOptions {
  /** Called at the begin of each round. */
  readonly roundBegins?: () => void;
  readonly schedule?: Schedule;
}

export class ChangeWatch {
  readonly #followed = new Map<string, Followed>();
  readonly #subscribers = new Set<Subscriber>();
  readonly #roundBegins: () => void;
  readonly #schedule: Schedule;
  /** Cancels the next round; null if there is none. */
  #cancel: (() => void) | null = null;

  constructor({ roundBegins = () => {}, schedule = afterDelay }: ChangeWatchOptions = {}) {
    this.#roundBegins = roundBegins;
    this.#schedule = schedule;
  }

  /** From now on the subscriber takes part in rounds. */
  enter(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
    this.#cancel ??= this.#schedule(this.#round, ROUND_MS);
  }

  /** The subscriber must have stopped following its topics. */
  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size > 0) return;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Changes count from now on. */
  follow(topic: Topic, subscriber: Subscriber): void {
    let followed = this.#followed.get(topic.key);
    if (followed === undefined) {
      followed = { topic, version: topic.version(), subscribers: new Set() };
      this.#followed.set(topic.key, followed);
    }
    followed.subscribers.add(subscriber);
  }

  unfollow(key: string, subscriber: Subscriber): void {
    const followed = this.#followed.get(key);
    followed?.subscribers.delete(subscriber);
    if (followed?.subscribers.size === 0) this.#followed.delete(key);
  }

  readonly #round = (): void => {
    this.#cancel = null;
    this.#roundBegins();
    for (const followed of this.#followed.values()) {
      const version = followed.topic.version();
      if (Object.is(version, followed.version)) continue;
      followed.version = version;
      for (const subscriber of followed.subscribers) subscriber.changed(followed.topic.key);
    }
    for (const subscriber of this.#subscribers) subscriber.roundEnded();
    if (this.#subscribers.size > 0) this.#cancel ??= this.#schedule(this.#round, ROUND_MS);
  };
}

const afterDelay: Schedule = (run, delayMs) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};
