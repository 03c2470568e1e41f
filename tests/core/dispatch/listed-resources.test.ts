import { expect, test } from "bun:test";
import type { Logger } from "../../../common/logger.ts";
import { listedResources } from "../../../core/dispatch/listed-resources.ts";
import { ToolError } from "../../../core/error.ts";
import { ResourceCatalogue } from "../../../core/resources/resource-catalogue.ts";
import { defineResource, type Resource } from "../../../core/resources/resource.ts";
import type { ToolContext } from "../../../core/tools/context.ts";

function resource(name: string, list: Resource["list"]): Resource {
  const parameters = { id: null };
  const described = { name, uri: `${name}://{id}`, title: "t", description: "d", parameters };
  return defineResource({ ...described, ...(list && { list }), read: () => "" });
}

const listing = () => [{ parameters: { id: "a b" }, title: "A" }];

function listed(...resources: Resource[]) {
  const errors: unknown[] = [];
  const log = { error: (_: string, properties: unknown) => errors.push(properties) } as unknown as Logger;
  const catalogue = new ResourceCatalogue(resources);
  const uris = () => listedResources(catalogue, () => ({ log }) as ToolContext).map(({ uri }) => uri);
  return { uris, errors };
}

test("a resource whose list fails is left out, and the log says so once until it works again", () => {
  let isFaulty = true;
  const faulty = resource("faulty", () => {
    if (isFaulty) throw new Error("broken");
    return listing();
  });
  const { uris, errors } = listed(faulty, resource("other", listing));
  expect([uris(), uris()]).toEqual([["other://a%20b"], ["other://a%20b"]]);
  expect(errors).toMatchObject([{ uri: "faulty://{id}", error: expect.stringContaining("broken") }]);
  isFaulty = false;
  expect(uris()).toEqual(["faulty://a%20b", "other://a%20b"]);
  isFaulty = true;
  expect(uris()).toEqual(["other://a%20b"]);
  expect(errors).toHaveLength(2);
});

test("a list that gives no list is left out, and so, without a word, is one that is refused", () => {
  const promised = resource("promised", (() => Promise.resolve(listing())) as unknown as Resource["list"]);
  const refused = resource("refused", () => {
    throw new ToolError("not_connected", "There is no connection.", "Connect.");
  });
  const { uris, errors } = listed(promised, refused, resource("templated", undefined), resource("other", listing));
  expect(uris()).toEqual(["other://a%20b"]);
  expect(errors).toMatchObject([{ uri: "promised://{id}" }]);
});
