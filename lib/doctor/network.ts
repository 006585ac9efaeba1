import { lookup } from "node:dns/promises";
import { type Clock, within } from "../clock.ts";
import { isLoopback } from "../config.ts";
import { oneLine } from "../one_line.ts";
import { unreachable } from "../service/failures.ts";
import { type Finding, look } from "./finding.ts";

/** The variables that the runtime takes a proxy from, and certificates. */
export const NETWORK_VARIABLES = [
  "HTTPS_PROXY",
  "https_proxy",
  "HTTP_PROXY",
  "http_proxy",
  "ALL_PROXY",
  "all_proxy",
  "NO_PROXY",
  "no_proxy",
  "DENO_CERT",
  "DENO_TLS_CA_STORE",
] as const;
export type NetworkVariables = Partial<
  Record<(typeof NETWORK_VARIABLES)[number], string | undefined>
>;

/** The longest value that is shown, in characters. */
const MAX_VALUE = 200;

/** The proxy in force, if there is one; its password is not shown. */
export function proxyFinding(variables: NetworkVariables): Finding {
  const values = NETWORK_VARIABLES
    .filter((name) => /proxy/i.test(name) && variables[name])
    .map((name): [string, string] => [name, withoutPassword(variables[name] ?? "")]);
  return {
    name: "proxy",
    ok: true,
    detail: values.length > 0 ? "by these variables" : "none",
    values,
  };
}

function withoutPassword(proxy: string): string {
  return oneLine(proxy.replace(/^([a-z0-9+.-]+:\/\/)?[^/]*@/i, "$1***@"), MAX_VALUE);
}

/** The certificates in force beside the public ones, and whether they can be read. */
export async function certificatesFinding(
  { DENO_CERT: file, DENO_TLS_CA_STORE: store }: NetworkVariables,
): Promise<Finding> {
  return await look("certificates", async () => {
    const stores = store ? `DENO_TLS_CA_STORE=${oneLine(store, MAX_VALUE)}` : "the public ones";
    if (!file) return stores;
    const path = oneLine(file, MAX_VALUE);
    try {
      const text = await Deno.readTextFile(file);
      if (!text.includes("BEGIN CERTIFICATE")) throw new Error("no PEM certificates are in it");
    } catch (thrown) {
      throw new Error(`DENO_CERT=${path} is of no use: ${thrown}; set it to a PEM file`);
    }
    return `${stores}, and those of DENO_CERT=${path}`;
  });
}

/** The proxy that stands between this machine and the host, if one does. */
export function proxyOf(host: URL, variables: NetworkVariables): string | undefined {
  if (isLoopback(host)) return undefined;
  const { HTTPS_PROXY, https_proxy, ALL_PROXY, all_proxy, NO_PROXY, no_proxy } = variables;
  const excepted = (NO_PROXY ?? no_proxy ?? "").split(",").map((each) => each.trim());
  const isExcepted = excepted.some((each) =>
    each === "*" || (each !== "" && `.${host.hostname}`.endsWith(`.${each.replace(/^\*?\./, "")}`))
  );
  return isExcepted ? undefined : [HTTPS_PROXY, https_proxy, ALL_PROXY, all_proxy].find(Boolean);
}

/** Whether the host's name is known. */
export async function nameFinding({ hostname }: URL): Promise<Finding> {
  const name = hostname.replace(/[[\]]/g, "");
  return await look("host", async () => {
    try {
      const addresses = await lookup(name, { all: true });
      return `${name} is ${addresses.map(({ address }) => address).join(", ")}`;
    } catch {
      throw new Error(`${name} cannot be found; check PATBA_HOST and the network`);
    }
  });
}

/** Whether a TLS connection to the host can be made; on this machine, any connection. */
export async function connectionFinding(
  { hostname, port, host, protocol }: URL,
  clock: Clock,
  timeout: number,
): Promise<Finding> {
  const isTls = protocol === "https:";
  const at = { hostname: hostname.replace(/[[\]]/g, ""), port: Number(port || (isTls ? 443 : 80)) };
  async function connect(): Promise<void> {
    if (!isTls) return (await Deno.connect(at)).close();
    const connection = await Deno.connectTls(at);
    try {
      await connection.handshake();
    } finally {
      connection.close();
    }
  }
  return await look(isTls ? "TLS" : "connection", async () => {
    const late = () => new Error("(Connect)");
    try {
      await within(clock, timeout, connect(), late);
    } catch (thrown) {
      throw unreachable("connect", host, thrown);
    }
    return isTls ? `a secure connection to ${host} can be made` : `${host} takes connections`;
  });
}
