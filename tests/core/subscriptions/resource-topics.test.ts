// The version of a topic: what counts as a change of a resource, and which errors are logged.

import { expect, test } from "bun:test";
import type { Logger } from "../../../common/logger.ts";
import { ToolError } from "../../../core/error.ts";
import { ResourceCatalogue } from "../../../core/resources/resource-catalogue.ts";
import { defineResource, type Resource } from "../../../core/resources/resource.ts";
import { ResourceTopics } from "../../../core/subscriptions/resource-topics.ts";

function topicOf(version: Resource["version"]) {
  const logged: string[] = [];
  const log = { error: (_text: string, facts: { readonly uri: string }) => void logged.push(facts.uri) };
  const resource = defineResource({
    ...{ name: "odd", uri: "odd://thing", title: "t", description: "d", read: () => "" },
    ...(version && { version }),
  });
  const offers = { resources: new ResourceCatalogue([resource]), requests: { contextFor: () => ({}) } };
  const topics = new ResourceTopics(offers as never, log as unknown as Logger);
  return { topics, topic: () => topics.resource("odd://thing"), logged };
}

const REFUSED = new ToolError("not_connected", "m", "h");
const FORBIDDEN = new ToolError("forbidden", "m", "h");

test("a change is another value, another refusal, or the way from the one to the other", () => {
  const values: unknown[] = [1, 1, 2, REFUSED, REFUSED, FORBIDDEN, 2, NaN, NaN, "not_connected", REFUSED];
  let next = 0;
  const { topic, logged } = topicOf(() => {
    const value = values[Math.min(next++, values.length - 1)];
    if (value instanceof Error) throw value;
    return value as number;
  });
  const followed = topic();
  expect(values.slice(1).map(() => Number(followed.version()) - 1)).toEqual([0, 1, 2, 2, 3, 4, 5, 5, 6, 7]);
  expect(logged).toEqual([]);
});

test("a fault of a pack is logged once in a row, and again after the version could be read", () => {
  let isFaulty = false;
  const { topic, logged } = topicOf(() => {
    if (isFaulty) throw new Error("odd");
    return 1;
  });
  const followed = topic();
  const versions = [];
  for (isFaulty of [true, true, false, true, true]) versions.push(followed.version());
  expect(versions).toEqual([2, 2, 3, 4, 4]);
  expect(logged).toEqual(["odd://thing", "odd://thing"]);
});

test("a resource that can't be read, or never says when it changes, can't be followed", () => {
  const refused = topicOf(() => {
    throw REFUSED;
  });
  expect(refused.topic).toThrow(REFUSED);
  const faulty = topicOf((() => Promise.resolve(1)) as never);
  expect(faulty.topic).toThrow("mkt failed on this resource");
  expect(faulty.logged).toEqual(["odd://thing"]);
  expect(topicOf(undefined).topic).toThrow("doesn't say when it changes");
  expect(() => refused.topics.resource("odd://other")).toThrow("There is no resource odd://other");
});
