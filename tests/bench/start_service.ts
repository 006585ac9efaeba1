/** The stand-in service, at work. */
export interface StandIn extends AsyncDisposable {
  /** Its address. */
  readonly host: string;
}

/** Starts the stand-in service as a process of its own. */
export async function startService(): Promise<StandIn> {
  const service = new URL("service.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-net=127.0.0.1", service],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value: port } = await output.read();
  if (port === undefined) throw new Error("The stand-in service does not start");
  return {
    host: `http://127.0.0.1:${port.trim()}`,
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await output.cancel();
      child.kill("SIGKILL"); // connections that agents keep open would keep it
      await child.status;
    },
  };
}
