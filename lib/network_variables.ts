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
