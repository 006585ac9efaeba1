import { type Clock, within } from "../clock.ts";
import { isLoopback } from "../config.ts";
import { BridgeError } from "../errors.ts";
import { NETWORK_VARIABLES, type NetworkVariables } from "../network_variables.ts";
import { unconnected } from "../service/failures.ts";
import { type Finding, look, shownValue, type Value } from "./finding.ts";

/** The proxy in force, if there is one; its password is not shown. */
export function proxyFinding(variables: NetworkVariables): Finding {
  const values = NETWORK_VARIABLES
    .filter((name) => /proxy/i.test(name) && variables[name])
    .map((name): Value => ({ name, value: shownValue(variables[name] ?? "") }));
  return {
    name: "proxy",
    ok: true,
    detail: values.length > 0 ? "by these variables" : "none",
    values,
  };
}

/** The certificates in force beside the public ones, and whether they can be read. */
export async function certificatesFinding(
  { DENO_CERT: file, DENO_TLS_CA_STORE: store }: NetworkVariables,
): Promise<Finding> {
  return await look("certificates", async () => {
    const stores = store ? `DENO_TLS_CA_STORE=${shownValue(store)}` : "the public ones";
    if (!file) return stores;
    const path = shownValue(file);
    try {
      if (!(await Deno.stat(file)).isFile) throw new Error("it is no file");
      const text = await Deno.readTextFile(file);
      if (!text.includes("BEGIN CERTIFICATE")) throw new Error("no PEM certificates are in it");
    } catch (thrown) {
      throw new BridgeError(
        "internal",
        `DENO_CERT=${path} is of no use: ${thrown}; set it to a PEM file`,
      );
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

/** Finds the addresses of a name; throws where there are none. */
export type Lookup = (name: string) => Promise<string[]>;

/** Whether the host's name is known. */
export async function nameFinding({ hostname }: URL, lookup: Lookup): Promise<Finding> {
  const name = hostname.replace(/[[\]]/g, "");
  return await look("host", async () => {
    try {
      return `${name} is ${(await lookup(name)).join(", ")}`;
    } catch (cause) {
      throw new BridgeError(
        "internal",
        `${name} cannot be found; check PATBA_HOST and the network`,
        { cause },
      );
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
    try {
      await within(clock, timeout, connect(), () => new Error("timed out"));
    } catch (thrown) {
      throw unconnected("connect", host, thrown);
    }
    return isTls ? `a secure connection to ${host} can be made` : `${host} takes connections`;
  });
}
