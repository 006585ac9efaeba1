import { play, transcriptNames } from "./transcripts.ts";
import { startBridge } from "./support.ts";

for (const name of transcriptNames()) {
  Deno.test(`transcript ${name} holds in memory`, async () => {
    const { bridge, ...wire } = startBridge();
    await play(name, wire);
    await bridge.finished;
  });
}
