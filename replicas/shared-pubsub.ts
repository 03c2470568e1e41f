// The connection to the market of one replica, as tools see it: a connect and a disconnect concern all replicas of the group.
// follower.ts says how.

import type { Action, ActionRequest } from "../protocol/index.ts";
import type { Followers, PubSub, RequestOptions, Session } from "../core/backend/pubsub.ts";
import { ToolError } from "../core/error.ts";
import type { Follower, FollowerOptions } from "./follower.ts";

/** How long a disconnect waits for the other replicas. */
const FOLLOWERS_LIMIT_MS = 2_000;
const FOLLOWERS_PAUSE_MS = 50;

interface SharedPubSubOptions extends Pick<FollowerOptions, "client" | "group" | "log"> {
  readonly follower: Follower;
}

export class SharedPubSub implements PubSub {
  readonly checksEngine = true;

  constructor(private readonly options: SharedPubSubOptions) {}

  get status(): PubSub["status"] {
    return this.options.client.status;
  }

  get session(): Session | null {
    return this.options.client.session;
  }

  get isWanted(): boolean {
    return this.options.follower.isWanted;
  }

  get incomplete(): boolean {
    return this.options.client.incomplete;
  }

  get disconnects(): number {
    return this.options.client.disconnects;
  }

  marketTime(): number {
    return this.options.client.marketTime();
  }

  facts(): ReturnType<PubSub["facts"]> {
    const facts = this.options.client.facts();
    const { failure } = this.options.follower;
    if (facts.status !== "disconnected" || facts.lastError !== null || failure === null) return facts;
    return { ...facts, lastError: `could not connect as the other replicas of this server: ${failure}` };
  }

  request<Name extends Action>(action: Name, payload: ActionRequest<Name>, options?: RequestOptions) {
    return this.options.client.request(action, payload, options);
  }

  connect(userId: string, signal?: AbortSignal): Promise<Session> {
    return this.options.follower.connect(userId, signal);
  }

  /** Disconnects all replicas. Throws ToolError `backend_unavailable` if Redis does not confirm it. */
  async disconnect(): Promise<Followers> {
    let version: number;
    try {
      version = await this.options.follower.disconnect();
    } catch (error) {
      this.options.log.warn("could not disconnect all replicas: {error}", { error: (error as Error).message });
      throw new ToolError(
        "backend_unavailable",
        `The replicas of this server could not be told to disconnect: ${(error as Error).message}.`,
        "Call again once Redis can be reached. To end the connection of one replica, stop its process.",
        { cause: error },
      );
    }
    return await this.#followers(version);
  }

  /** Waits until the other replicas have followed, for a limited time. */
  async #followers(version: number): Promise<Followers> {
    const { group, log } = this.options;
    const deadline = performance.now() + FOLLOWERS_LIMIT_MS;
    let last: Followers = { others: 0, followed: 0 };
    try {
      for (;;) {
        last = await group.followers(version);
        if (last.followed >= last.others || performance.now() > deadline) return last;
        await new Promise((resolve) => setTimeout(resolve, FOLLOWERS_PAUSE_MS));
      }
    } catch (error) {
      log.warn("it is unknown which replicas have disconnected: {error}", { error: (error as Error).message });
      return last;
    }
  }
}
