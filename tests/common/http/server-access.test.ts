import { describe, expect, test } from "bun:test";
import {
  exposureFault,
  hostAccess,
  hostNameFaults,
  originFaults,
  tokenFileFaults,
} from "../../../common/http/server-access.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const VARIABLES = { token: "TOKEN", tokenFile: "FILE", allowUnauthenticated: "OPEN" };

describe("a server beyond loopback", () => {
  const faultOf = (host: string, access: { token?: string; tokenFile?: string } = {}, isAllowed = false) =>
    exposureFault(host, { token: null, ...access }, isAllowed, VARIABLES);

  test.each(["127.0.0.1", "localhost", "::1", "[::1]"])("does not include %s", (host) => {
    expect(faultOf(host)).toBeNull();
  });

  const EXPOSED = ["0.0.0.0", "::", "192.168.1.5", "mkt.example"];
  test.each(EXPOSED)("needs a token on %s, unless the operator allows unauthenticated access", (host) => {
    expect(faultOf(host)).toBe(
      `${host} is not a loopback address: set TOKEN or FILE, or OPEN=1 to allow unauthenticated access`,
    );
    for (const access of [{ token: "t" }, { tokenFile: "/f" }]) expect(faultOf(host, access)).toBeNull();
    expect(faultOf(host, {}, true)).toBeNull();
  });
});

test("the address that a server listens on is allowed, and loopback names unless others are set", () => {
  const access = { token: null };
  expect(hostAccess(access, "10.0.0.5").allowedHosts).toEqual(["localhost", "127.0.0.1", "[::1]", "10.0.0.5"]);
  expect(hostAccess({ ...access, allowedHosts: ["engine"] }, "0.0.0.0").allowedHosts).toEqual(["engine", "127.0.0.1"]);
  expect(hostAccess({ ...access, allowedHosts: [] }, "::").allowedHosts).toEqual(["[::1]"]);
  expect(hostAccess(access, "::1").allowedOrigins).toEqual(["localhost", "127.0.0.1", "[::1]"]);
  expect(hostAccess({ ...access, allowedOrigins: ["desk"] }, "::1").allowedOrigins).toEqual(["desk"]);
});

test("a token file that can't be read is one fault, which names the file once", () => {
  const folder = temporaryDirectory();
  expect(tokenFileFaults(folder, "names_and_users")).toEqual([`can't be read: ${folder} is not a regular file`]);
  expect(tokenFileFaults(`${folder}/x`, "names_and_users")).toEqual([
    `can't be read: ${folder}/x: no such file or folder`,
  ]);
  expect(tokenFileFaults(null, "names_and_users")).toEqual([]);
});

test("a host is a name or an address, with or without a port, as a Host header can have it", () => {
  const hosts = ["engine", "Engine:3001", "engine:80", "10.0.0.5", "10.0.0.5:1", "[::1]", "[::1]:3001"];
  expect(hostNameFaults(hosts)).toEqual([]);
  const wrong = ["http://engine", "engine/", "*", "*.example", "a b", "::1", "engine:", "engine:99999", "user@engine"];
  expect(hostNameFaults(["engine", ...wrong])).toEqual(
    wrong.map((host) => `"${host}" is not a host: write a name or an address, with or without a port ([::1] for IPv6)`),
  );
});

test("an origin is a host, or scheme, host and port; an empty list is valid", () => {
  expect(originFaults(["desk.example", "https://Desk.example:8443", "http://[::1]:3000", "desk:1"])).toEqual([]);
  const wrong = ["https://desk.example/", "https://", "*", "https://*.example", "null/"];
  expect(originFaults(wrong)).toEqual(
    wrong.map((origin) =>
      `"${origin}" is not an origin: write a host name, or an origin such as https://desk.example:8443`
    ),
  );
  expect([hostNameFaults(), originFaults()]).toEqual([[], []]);
});
