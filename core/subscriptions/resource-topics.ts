// What clients may subscribe to: each resource that has a version, and the list of resources.
//
// A topic's version counts the changes that it has seen. A resource that can't be read now has the error's code as version,
// so losing the right to read it, and losing the connection, is a change, and so is getting it back. Each unexpected error of
// a pack is logged once in a row and counts as one more code.

import { errorStack } from "../../common/error-message.ts";
import type { Logger } from "../../common/logger.ts";
import { safeText } from "../../common/safe-text.ts";
import { listedResources } from "../dispatch/listed-resources.ts";
import type { Offers } from "../dispatch/offers.ts";
import type { PackRequest } from "../dispatch/pack-requests.ts";
import { type ErrorCode, ToolError } from "../error.ts";
import { connectionVersion } from "../resources/connection-version.ts";
import type { Resource } from "../resources/resource.ts";
import type { Topic } from "./change-watch.ts";

/** The topic of the list of resources. No URI is empty. */
export const RESOURCE_LIST = "";

/** Longer ones are unknown: each followed URI is kept. Ids are shorter. */
const MAX_URI_LENGTH = 1_000;
const MAX_SHOWN_URI = 200;

export class ResourceTopics {
  constructor(
    private readonly offers: Pick<Offers, "resources" | "requests">,
    private readonly log: Logger,
  ) {}

  /** Throws ToolError if nobody may subscribe to this URI now. */
  resource(uri: string): Topic {
    const found = uri.length > MAX_URI_LENGTH ? null : this.offers.resources.find(uri);
    if (found === null) throw unknownUri(uri);
    const { resource, parameters } = found;
    const { version } = resource;
    if (version === undefined) throw unchanging(uri);
    const read = () => {
      const context = this.offers.requests.contextFor(requestOf(resource));
      return [settled(version(parameters, context)), resource.requires && connectionVersion(context)];
    };
    const topic = new CountedTopic(uri, read, this.log);
    if (topic.failure !== null) throw topic.failure;
    return topic;
  }

  get list(): Topic {
    const { resources, requests } = this.offers;
    const read = () => {
      const listed = listedResources(resources, (resource) => requests.contextFor(requestOf(resource)));
      return [listed.map(({ uri, title }) => `${uri} ${title}`).join("\n")];
    };
    return new CountedTopic(RESOURCE_LIST, read, this.log);
  }
}

/** Counts how often what `read` gives has changed, value by value. */
class CountedTopic implements Topic {
  #count = 0;
  #last: readonly unknown[] = [];
  /** Why the topic can't be read; null if it can. */
  failure: ToolError | null = null;

  constructor(readonly key: string, private readonly read: () => readonly unknown[], private readonly log: Logger) {
    this.version();
  }

  version(): number {
    const values = this.#valuesNow();
    const isSame = values.length === this.#last.length && values.every((value, at) => Object.is(value, this.#last[at]));
    if (!isSame) this.#count += 1;
    this.#last = values;
    return this.#count;
  }

  #valuesNow(): readonly unknown[] {
    try {
      const values = this.read();
      this.failure = null;
      return values;
    } catch (error) {
      if (!(error instanceof ToolError) && this.failure?.code !== "internal") {
        this.log.error("the version of {uri} failed: {error}", { uri: this.key, error: errorStack(error) });
      }
      this.failure = error instanceof ToolError ? error : INTERNAL;
      return [FAILED, this.failure.code satisfies ErrorCode, null];
    }
  }
}

/** Stands for no value of a pack. */
const FAILED = Symbol("failed");

const INTERNAL = new ToolError(
  "internal",
  "mkt failed on this resource.",
  "Read it now and then instead; the server's log has details.",
);

function requestOf({ uri, requires }: Resource): PackRequest {
  return { kind: "subscription", name: uri, ...(requires && { requires }) };
}

/** Each call of an asynchronous version would give another promise. */
function settled(version: unknown): unknown {
  if (!(version instanceof Promise)) return version;
  // Nobody waits for it.
  version.catch(() => {});
  throw new Error("it gives a promise; a version must be there at once");
}

export function unknownUri(uri: string): ToolError {
  return new ToolError(
    "not_found",
    `There is no resource ${safeText(uri, MAX_SHOWN_URI)}.`,
    "resources/list and resources/templates/list say which there are.",
  );
}

function unchanging(uri: string): ToolError {
  return new ToolError(
    "invalid_input",
    `Nobody can subscribe to ${safeText(uri, MAX_SHOWN_URI)}, because it doesn't say when it changes.`,
    "Read it when you need it; its cache time says for how long an answer holds.",
  );
}
