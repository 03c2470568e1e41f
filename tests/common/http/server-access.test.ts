import { describe, expect, test } from "bun:test";
import { exposureFault, hostAccess, hostNameFaults, originFaults } from "../../../common/http/server-access.ts";

const VARIABLES = { token: "TOKEN", tokenFile: "FILE", allowUnauthenticated: "OPEN" };

describe("a server beyond loopback", () => {
  const faultOf = (host: string, access: { token?: string; tokenFile?: string } = {}, isAllowed = false) =>
    exposureFault(host, { token: null, ...access }, isAllowed, VARIABLES);

  test.each(["127.0.0.1", "localhost", "::1", "[::1]"])("does not include %s", (host) => {
    expect(faultOf(host)).toBeNull();
  });

  test.each(["0.0.0.0", "::", "192.168.1.5", "mkt.example"])(
    "needs a token on %s, unless the operator allows unauthenticated access",
    (host) => {
      expect(faultOf(host)).toBe(
        `${host} is not a loopback address: set TOKEN or FILE, or OPEN=1 to allow unauthenticated access`,
      );
      expect(faultOf(host, { token: "t" })).toBeNull();
      expect(faultOf(host, { tokenFile: "/f" })).toBeNull();
      expect(faultOf(host, {}, true)).toBeNull();
    },
  );
});

test("the address that a server listens on is allowed, and loopback names unless others are set", () => {
  const access = { token: null };
  expect(hostAccess(access, "10.0.0.5").allowedHosts).toEqual(["localhost", "127.0.0.1", "[::1]", "10.0.0.5"]);
  expect(hostAccess({ ...access, allowedHosts: ["engine"] }, "0.0.0.0").allowedHosts).toEqual(["engine", "127.0.0.1"]);
  expect(hostAccess({ ...access, allowedHosts: [] }, "::").allowedHosts).toEqual(["[::1]"]);
  expect(hostAccess(access, "::1").allowedOrigins).toEqual(["localhost", "127.0.0.1", "[::1]"]);
  expect(hostAccess({ ...access, allowedOrigins: ["desk"] }, "::1").allowedOrigins).toEqual(["desk"]);
});

test.each(["engine", "Engine:3001", "engine:80", "10.0.0.5", "10.0.0.5:1", "[::1]", "[::1]:3001"])(
  "%p is a host that a Host header can name",
  (host) => {
    expect(hostNameFaults([host])).toEqual([]);
  },
);

test.each(["http://engine", "engine/", "*", "*.example", "a b", "::1", "engine:", "engine:99999", "user@engine"])(
  "%p is not a host",
  (host) => {
    expect(hostNameFaults(["engine", host])).toEqual([
      `"${host}" is not a host: write a name or an address, with or without a port ([::1] for IPv6)`,
    ]);
  },
);

test("an origin is a host, or scheme, host and port; an empty list is valid", () => {
  expect(originFaults(["desk.example", "https://Desk.example:8443", "http://[::1]:3000", "desk:1"])).toEqual([]);
  for (const origin of ["https://desk.example/", "https://", "*", "https://*.example", "null/"]) {
    expect(originFaults([origin])).toEqual([
      `"${origin}" is not an origin: write a host name, or an origin such as https://desk.example:8443`,
    ]);
  }
  expect([hostNameFaults(), originFaults()]).toEqual([[], []]);
});
