// The subscriptions of all clients of a transport: which requested topics are honoured, how many there may be, and their end
// with the process or with the client's token.
//
// What a client asks for is honoured as far as it can be: a URI without a resource, one that doesn't say when it changes, and
// one that the acting user may not read now are left out, and the client is told which are honoured.
// Limits: MAX_SUBSCRIPTIONS and MAX_TOPICS, for all clients, for one client and for one subscription. A request that names more
// resources than one subscription may have is refused, whether they exist or not.

import type { TokenStore } from "../../common/http/token-store.ts";
import type { Logger } from "../../common/logger.ts";
import type { CallScope } from "../dispatch/call-context.ts";
import type { Offers } from "../dispatch/offers.ts";
import { ToolError } from "../error.ts";
import { Capacity } from "../guardrails/capacity.ts";
import { ChangeWatch, type Schedule } from "./change-watch.ts";
import { ResourceTopics } from "./resource-topics.ts";
import { type Share, Subscription } from "./subscription.ts";

export const MAX_SUBSCRIPTIONS = { all: 1_000, client: 500 } as const;
/** Followed URIs. A URI counts once for each subscription that follows it. */
const MAX_TOPICS = { all: 10_000, client: 5_000, subscription: 200 } as const;

/** What a client asks for, and what it gets. A list that is absent is empty. */
export interface Filter {
  readonly resourceSubscriptions?: readonly string[];
  readonly resourcesListChanged?: boolean;
}

interface Holder {
  /** Whose limits apply. */
  readonly client: string;
  /** False from when the client's token is no longer accepted. True if absent. */
  readonly isAccepted?: () => boolean;
}

interface SubscriptionsOptions {
  readonly offers: Pick<Offers, "resources" | "requests">;
  readonly log: Logger;
  /** Absent if tokens can't change. */
  readonly tokens?: Pick<TokenStore, "canChange" | "changes">;
  readonly schedule?: Schedule;
}

export class Subscriptions {
  readonly topics: ResourceTopics;
  readonly #watch: ChangeWatch;
  readonly #open = new Map<Subscription, Holder>();
  readonly #held = new Capacity(MAX_SUBSCRIPTIONS.all, () => MAX_SUBSCRIPTIONS.client);
  readonly #followed = new Capacity(MAX_TOPICS.all, () => MAX_TOPICS.client);
  #tokenChanges: number;
  #isClosed = false;

  constructor(private readonly options: SubscriptionsOptions) {
    const { offers, log, schedule } = options;
    this.topics = new ResourceTopics(offers, log);
    this.#watch = new ChangeWatch({ roundBegins: () => this.#endRevoked(), ...(schedule && { schedule }) });
    this.#tokenChanges = this.#changesOfTokens();
  }

  /** How many there are now. */
  get count(): number {
    return this.#open.size;
  }

  /**
   * Runs a subscriptions/listen with the checks and the log of a request. `answer` gets the new subscription and what of the
   * filter is honoured. If it throws, the subscription is closed. Throws ToolError if a check or a limit refuses it.
   */
  listen<Answer>(
    filter: Filter,
    holder: Holder,
    scope: CallScope,
    answer: (subscription: Subscription, honoured: Filter) => Promise<Answer>,
  ): Promise<Answer> {
    const { resourceSubscriptions: uris = [], resourcesListChanged = false } = filter;
    const request = {
      kind: "subscription",
      name: "subscriptions/listen",
      arguments: { resources: uris.length, resourcesListChanged },
    } as const;
    return this.options.offers.requests.run(request, scope, async () => {
      const subscription = this.open(holder);
      try {
        return await answer(subscription, this.#honoured(filter, subscription));
      } catch (error) {
        subscription.close();
        throw error;
      }
    });
  }

  /** A subscription that follows nothing yet. Throws ToolError beyond a limit. */
  open(holder: Holder): Subscription {
    if (this.#isClosed) throw shuttingDown();
    const { client, isAccepted = () => true } = holder;
    // A token can be revoked after its request was checked, and a round may have seen that change already.
    if (!isAccepted()) throw tokenRevoked();
    if (this.#held.take(client, 1) !== "taken") throw tooMany("subscriptions", MAX_SUBSCRIPTIONS);
    const subscription = new Subscription(this.#watch, this.#shareOf(client));
    this.#open.set(subscription, holder);
    return subscription;
  }

  /** Ends all of them. From now on there are no new ones. */
  close(): void {
    this.#isClosed = true;
    for (const subscription of this.#open.keys()) subscription.close();
  }

  #honoured({ resourceSubscriptions = [], resourcesListChanged }: Filter, subscription: Subscription): Filter {
    const named = new Set(resourceSubscriptions);
    // Before any of them is looked up: a body has space for many thousand URIs.
    if (named.size > MAX_TOPICS.subscription) throw tooMany("resources in subscriptions", MAX_TOPICS);
    const uris = [...named].filter((uri) => this.#follows(uri, subscription));
    if (resourcesListChanged === true) subscription.follow(this.topics.list);
    return {
      ...(uris.length > 0 && { resourceSubscriptions: uris }),
      ...(resourcesListChanged === true && { resourcesListChanged }),
    };
  }

  #follows(uri: string, subscription: Subscription): boolean {
    let topic;
    try {
      topic = this.topics.resource(uri);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      this.options.log.debug("not subscribed: {error}", { error: error.message });
      return false;
    }
    subscription.follow(topic);
    return true;
  }

  #shareOf(client: string): Share {
    let own = 0;
    return {
      takeTopic: () => {
        const isRoom = own < MAX_TOPICS.subscription && this.#followed.take(client, 1) === "taken";
        if (!isRoom) throw tooMany("resources in subscriptions", MAX_TOPICS);
        own += 1;
      },
      releaseTopics: (count) => {
        if (count === 0) return;
        own -= count;
        this.#followed.release(client, count);
      },
      release: (subscription) => {
        this.#open.delete(subscription);
        this.#held.release(client, 1);
      },
    };
  }

  #changesOfTokens(): number {
    const { tokens } = this.options;
    return tokens?.canChange === true ? tokens.changes() : 0;
  }

  #endRevoked(): void {
    const changes = this.#changesOfTokens();
    if (changes === this.#tokenChanges) return;
    this.#tokenChanges = changes;
    for (const [subscription, { isAccepted = () => true }] of this.#open) {
      if (!isAccepted()) subscription.end();
    }
  }
}

function shuttingDown(): ToolError {
  return new ToolError(
    "shutting_down",
    "This server is shutting down and accepts no more subscriptions.",
    "Subscribe again once it is back, or use another server.",
  );
}

function tokenRevoked(): ToolError {
  return new ToolError("forbidden", "The token of this request is no longer valid.", "Use a valid token.");
}

function tooMany(what: string, limits: { readonly all: number; readonly client: number }): ToolError {
  const most = Object.entries(limits).map(([of, limit]) => `${limit} of ${NAMES[of]}`);
  return new ToolError(
    "limit_exceeded",
    `There are too many ${what}: at most ${most.join(", ")}.`,
    "End those that you no longer need, or subscribe to fewer resources.",
  );
}

const NAMES: Readonly<Record<string, string>> = {
  all: "all clients",
  client: "one client",
  subscription: "one subscription",
};
