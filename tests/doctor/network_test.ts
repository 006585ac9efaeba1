import assert from "node:assert/strict";
import { proxyOf } from "../../lib/doctor/network.ts";
import type { NetworkVariables } from "../../lib/network_variables.ts";

Deno.test("proxyOf knows what stands in the way", () => {
  const proxy = "http://proxy.test:3128";
  const table: [string, NetworkVariables, string | undefined][] = [
    ["https://a.test", {}, undefined],
    ["https://a.test", { HTTPS_PROXY: proxy }, proxy],
    ["https://a.test", { https_proxy: proxy }, proxy],
    ["https://a.test", { HTTP_PROXY: proxy }, undefined],
    ["https://a.test", { ALL_PROXY: proxy }, proxy],
    ["https://a.test", { HTTPS_PROXY: proxy, NO_PROXY: "b.test, a.test" }, undefined],
    ["https://x.a.test", { HTTPS_PROXY: proxy, no_proxy: ".a.test" }, undefined],
    ["https://xa.test", { HTTPS_PROXY: proxy, NO_PROXY: "a.test" }, proxy],
    ["https://a.test", { HTTPS_PROXY: proxy, NO_PROXY: "*" }, undefined],
    ["http://127.0.0.1:1", { ALL_PROXY: proxy }, undefined],
  ];
  for (const [host, variables, expected] of table) {
    assert.equal(proxyOf(new URL(host), variables), expected, host);
  }
});
