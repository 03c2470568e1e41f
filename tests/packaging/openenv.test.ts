// The arena's folder for OpenEnv in a release.

import { expect, test } from "bun:test";
import { environmentFolder } from "../../packaging/openenv/environment-folder.ts";

const files = new Map(environmentFolder("1.2.3").map(({ path, content }) => [path, new TextDecoder().decode(content)]));

test("the manifest is one of an environment, on the port of the image", () => {
  expect(Bun.YAML.parse(files.get("openenv.yaml")!)).toEqual({
    spec_version: 1,
    name: "mkt-arena",
    type: "space",
    runtime: "docker",
    app: "Dockerfile",
    port: 8000,
  });
  const dockerfile = files.get("Dockerfile")!;
  expect(dockerfile).toContain("ARG MKT_IMAGE=mkt:1.2.3\nFROM ${MKT_IMAGE}\nEXPOSE 8000\n");
  const [, command = ""] = /^CMD (.*)$/m.exec(dockerfile) ?? [];
  expect(JSON.parse(command)).toEqual(["arena", "serve", "--openenv", "--host", "0.0.0.0", "--port", "8000"]);
});

test("the page says what it is", () => {
  expect(files.get("README.md")).toContain("# The arena of mkt 1.2.3");
});
