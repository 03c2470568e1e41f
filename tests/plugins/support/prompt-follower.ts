// An agent without a model: it makes the calls that a prompt's steps write out, in their order, and keeps the answers. For a
// value in angle brackets it takes what earlier answers gave, as the prompt's rules say.

import { callsIn, type WrittenCall } from "./prompts.ts";

type Value = Readonly<Record<string, unknown>>;

interface FollowedCall extends WrittenCall {
  readonly isError: boolean;
  readonly value: Value;
}

/** Calls a tool. */
type Call = (tool: string, parameters: WrittenCall["parameters"]) => Promise<{ isError: boolean; value: Value }>;

/** What the steps leave to the agent. */
interface Judgement {
  /** The ids that `<id of the order>` stands for. */
  readonly orders: (follower: PromptFollower) => string[];
  /** Waits until so many hours after the start of the simulation. */
  readonly wait: (follower: PromptFollower, hours: number) => Promise<void>;
}

/** The most values for which a step is repeated, as the steps say. */
const MAX_REPEATS = 5;
const STANDS_FOR = /^<(?:(\w+) of (mkt_\w+)(?: less (\d+) h)?|(your entityId|id of the order))>$/;
const HOUR_MS = 3_600_000;

export class PromptFollower {
  readonly calls: FollowedCall[] = [];
  /** Calls that had no value for something in angle brackets, for example because no counterparty is in the way. */
  readonly leftOut: WrittenCall[] = [];

  constructor(private readonly call: Call, private readonly judgement: Partial<Judgement> = {}) {}

  async follow(text: string): Promise<this> {
    for (const step of text.split(/\n(?=\d+\. )/)) {
      const [, hours] = /^\d+\. Wait .*?([\d.]+) h after startedAt/.exec(step) ?? [];
      if (hours === undefined) await this.#take(step);
      else await this.judgement.wait?.(this, Number(hours));
    }
    return this;
  }

  async #take(step: string): Promise<void> {
    for (const written of callsIn(step)) {
      const filled = this.#filled(written);
      if (filled.length === 0) this.leftOut.push(written);
      for (const parameters of filled) {
        const { isError, value } = await this.call(written.tool, parameters);
        this.calls.push({ tool: written.tool, parameters, isError, value });
      }
    }
  }

  /** The values of a tool's successful calls, in order. */
  answers(tool: string, fits: (parameters: WrittenCall["parameters"]) => boolean = () => true): Value[] {
    return this.calls.filter((each) => each.tool === tool && !each.isError && fits(each.parameters))
      .map(({ value }) => value);
  }

  /** The value of a tool's only or first successful call. */
  answer(tool: string, fits?: (parameters: WrittenCall["parameters"]) => boolean): Value {
    const [first] = this.answers(tool, fits);
    if (first === undefined) {
      throw new Error(`${tool} gave no answer: ${JSON.stringify(this.calls.map(({ tool }) => tool))}`);
    }
    return first;
  }

  /** The codes of failed calls, by tool. */
  get failures(): Record<string, unknown>[] {
    return this.calls.filter(({ isError }) => isError).map(({ tool, value }) => ({
      tool,
      code: (value["error"] as Value)["code"],
    }));
  }

  #filled({ parameters }: WrittenCall): WrittenCall["parameters"][] {
    const json = JSON.stringify(parameters);
    const open = texts(parameters).find((text) => STANDS_FOR.test(text));
    if (open === undefined) return [parameters];
    return this.#valuesFor(open).slice(0, MAX_REPEATS).flatMap((value) => {
      const next = json.replaceAll(JSON.stringify(open), JSON.stringify(value));
      return this.#filled({ tool: "", parameters: JSON.parse(next) as WrittenCall["parameters"] });
    });
  }

  #valuesFor(open: string): string[] {
    const [, field = "", tool = "", hours, special] = STANDS_FOR.exec(open) ?? [];
    if (special === "id of the order") return this.judgement.orders?.(this) ?? [];
    const answer = special === undefined ? this.answers(tool).at(-1) : this.answers("mkt_connect_pubsub").at(-1);
    const values = fieldsNamed(special === undefined ? field : "entityId", answer);
    if (hours === undefined) return values;
    return values.slice(0, 1).map((time) => new Date(Date.parse(time) - Number(hours) * HOUR_MS).toISOString());
  }
}

/** The texts under this name: at the top level, or else anywhere in the value, each once. */
function fieldsNamed(field: string, value: Value | undefined): string[] {
  if (typeof value?.[field] === "string") return [value[field]];
  const found: string[] = [];
  JSON.stringify(value, (name, inner: unknown) => {
    if (name === field && typeof inner === "string") found.push(inner);
    return inner;
  });
  return [...new Set(found)];
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}
