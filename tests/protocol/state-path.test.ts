import { expect, test } from "bun:test";
import { parseStatePath } from "../../protocol/state-path.ts";

test("a state path is /TYPE/id, and the id may contain slashes", () => {
  expect(parseStatePath("/ORDER/ORD-1")).toEqual({ type: "ORDER", id: "ORD-1" });
  expect(parseStatePath("/CREDIT/a/b")).toEqual({ type: "CREDIT", id: "a/b" });
});

test.each(["", "/", "ORDER", "/ORDER", "/ORDER/", "xORDER/ORD-1", "ORDER/ORD-1", "/PLANET/1"])(
  "%p is no state path",
  (path) => {
    expect(parseStatePath(path)).toBeNull();
  },
);
