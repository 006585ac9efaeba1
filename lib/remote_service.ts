import { type Config, isLoopback } from "./config.ts";
import type { Log } from "./log.ts";
import type { ServiceOptions } from "./service/client.ts";
import { createDemo } from "./service/demo.ts";
import { createThreads, type Threads } from "./service/threads.ts";
import type { Surroundings } from "./surroundings.ts";

/** How fast the practice service is, in milliseconds between two frames. */
const DEMO_PACE = 250;

/** The threads of the service that the configuration names. */
export function openThreads(...service: Parameters<typeof serviceOptions>): Threads {
  return createThreads(serviceOptions(...service));
}

/** How the service is reached: the remote one, or the practice service. */
export function serviceOptions(
  { demo, host, limits }: Config,
  apiKey: () => string | undefined,
  log: Log,
  { bypassProxy, clock }: Surroundings,
): ServiceOptions {
  const common = { host, apiKey, clock, log, random: Math.random, limits };
  if (demo) {
    const fetch = createDemo({ clock, pace: DEMO_PACE });
    return { ...common, fetch, fetchOnce: fetch };
  }
  // A proxy is no way to this machine itself, and would see the key of a plain http:// request.
  if (isLoopback(host)) bypassProxy(host.hostname.replace(/[[\]]/g, ""));
  let client: Deno.HttpClient | undefined; // made when needed, for the sake of the start
  return {
    ...common,
    fetch,
    fetchOnce(url, init) {
      client ??= Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
      return fetch(url, { ...init, client });
    },
  };
}
