import { findApiKey } from "../api_key.ts";
import { openConversation } from "../conversation.ts";
import { type Config, type Found, readConfig, type Sources } from "../config.ts";
import { BridgeError } from "../errors.ts";
import { createLog } from "../log.ts";
import type { NetworkVariables } from "../network_variables.ts";
import { oneLine } from "../one_line.ts";
import { createParts } from "../parts.ts";
import { serviceOptions } from "../remote_service.ts";
import { createServiceClient } from "../service/client.ts";
import { noKey } from "../service/failures.ts";
import type { Surroundings } from "../surroundings.ts";
import type { Terminal } from "../terminal.ts";
import { configFolder, stateFolder } from "../user_folders.ts";
import { type Finding, look } from "./finding.ts";
import { folderFinding } from "./folders.ts";
import {
  certificatesFinding,
  connectionFinding,
  type Lookup,
  nameFinding,
  proxyFinding,
  proxyOf,
} from "./network.ts";
import { isWell, json, row, verdict } from "./report.ts";
import { settingsFinding } from "./settings.ts";

/** What the doctor is given to look at. */
export interface DoctorOptions {
  surroundings: Surroundings;
  terminal: Terminal;
  /** The machine and the runtime, in words. */
  platform: string;
  network: NetworkVariables;
  lookup: Lookup;
}

/** What the agent is asked in a turn that is only a check. */
const PROMPT = "Say hello in one short sentence.";
/** The most of its reply that is shown, in characters. */
const MAX_REPLY = 60;

/** `doctor`: says what is as it should be, and what is not; returns the exit status. */
export async function doctor(sources: Sources, options: DoctorOptions): Promise<number> {
  const { terminal } = options;
  const isJson = sources.options.json ?? false;
  const findings: Finding[] = [];
  for await (const finding of examine(sources, options)) {
    findings.push(finding);
    if (!isJson) terminal.print(row(finding, terminal.colors)); // at once: some take a while
  }
  terminal.print(isJson ? json(findings) : `\n${verdict(findings)}\n`);
  return isWell(findings) ? 0 : 1;
}

/** Looks at one thing after the other; what rests on one that is wrong is left out. */
async function* examine(sources: Sources, options: DoctorOptions): AsyncGenerator<Finding> {
  const { surroundings, platform, network } = options;
  const { user, version } = surroundings;
  yield { name: "program", ok: true, detail: `patb-cli-bridge ${version} on ${platform}` };
  const key = await findApiKey(surroundings);
  const settings = await settingsFinding(sources, key);
  yield settings;
  yield proxyFinding(network);
  yield await certificatesFinding(network);
  const isKept = key?.origin === "login" && !sources.options.demo;
  yield optionalUnless(isKept, await folderFinding("config", configFolder(user), user.os));
  if (!settings.ok) return;
  const config = readConfig(sources);
  const isHistory = config.history !== undefined;
  yield optionalUnless(isHistory, await folderFinding("state", stateFolder(user), user.os));
  const isKeyless = key === undefined && !config.demo;
  if (isKeyless) yield await look("key", () => Promise.reject(noKey("missing")));
  for await (const finding of examineService(config, key, options)) {
    yield finding;
    if (!finding.ok) return;
  }
  if (sources.options.turn && !isKeyless) yield await turnFinding(config, surroundings);
}

function optionalUnless(needed: boolean, finding: Finding): Finding {
  return needed ? finding : { ...finding, optional: true };
}

/** Looks at the way to the service, step by step, and at whether it takes the key. */
async function* examineService(
  config: Config,
  key: Found | undefined,
  { surroundings, network, lookup }: DoctorOptions,
): AsyncGenerator<Finding> {
  const { demo, host, limits } = config;
  const { clock } = surroundings;
  const isDirect = !demo && proxyOf(host, network) === undefined; // else the proxy does these
  if (isDirect) yield await nameFinding(host, lookup);
  if (isDirect) yield await connectionFinding(host, clock, limits.request);
  const apiKey = demo ? "any" : key?.value;
  const log = createLog({ level: "error", write: () => {}, secrets: [], now: clock.now });
  const client = createServiceClient(serviceOptions(config, () => apiKey, log, surroundings));
  const { signal } = new AbortController();
  yield await look("health", async () => {
    const began = clock.now();
    await client.checkHealth(signal).catch((thrown) => {
      throw isDirect || demo || !(thrown instanceof BridgeError)
        ? thrown
        : new BridgeError("internal", `By the proxy: ${thrown.message}`);
    });
    const who = demo ? "the practice service" : host.host;
    return `${who} answers, after ${clock.now() - began} ms`;
  });
  if (apiKey === undefined) return;
  yield await look("key", async () => {
    if (demo) return "the practice service needs none";
    await client.checkKey(signal);
    return "the service takes it";
  });
}

/** A whole turn, as an editor would have it; nothing of it is kept. */
async function turnFinding(config: Config, surroundings: Surroundings): Promise<Finding> {
  return await look("turn", async () => {
    const began = surroundings.clock.now();
    let reply = "";
    const conversation = await openConversation({
      parts: await createParts({ ...config, history: undefined, progress: "off" }, surroundings),
      cwd: surroundings.cwd(),
      show(update) {
        if (update.sessionUpdate === "agent_message_chunk") reply += update.content.text;
      },
    });
    const stopReason = await conversation.prompt(PROMPT).finally(conversation.close);
    if (stopReason !== "end_turn" || reply === "" || reply.startsWith("Error: ")) {
      throw new BridgeError("internal", `the turn failed (${stopReason}): ${reply}`);
    }
    const seconds = ((surroundings.clock.now() - began) / 1000).toFixed(1);
    return `a reply after ${seconds} s: ${oneLine(reply, MAX_REPLY)}`;
  });
}
