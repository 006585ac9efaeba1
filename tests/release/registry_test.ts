import assert from "node:assert/strict";
import Ajv from "ajv";
import manifest from "../../deno.json" with { type: "json" };
import { registryEntry } from "../../lib/release/registry.ts";
import { archiveName, TARGETS } from "../../lib/release/targets.ts";
import schema from "../fixtures/registry_agent.schema.json" with { type: "json" };

const REPOSITORY = "https://example.com/someone/bridge";
const entry = registryEntry({
  version: manifest.version,
  license: manifest.license,
  repository: REPOSITORY,
  targets: TARGETS,
});

Deno.test("registryEntry is as the registry's schema has it", () => {
  const ajv = new Ajv.default({ formats: { uri: (text: string) => URL.canParse(text) } });
  const validate = ajv.compile(schema);
  assert.ok(validate(entry), ajv.errorsText(validate.errors));
  assert.ok(!validate({ ...entry, distribution: {} }), "the schema takes anything");
});

Deno.test("registryEntry keeps the registry's rules beyond its schema", () => {
  assert.match(entry.version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(
    Object.entries(entry.distribution.binary).map(([platform, { archive }]) => [platform, archive]),
    TARGETS.map((target) => [
      target.platform, // and that of the entry's version, not of the latest one
      `${REPOSITORY}/releases/download/v${entry.version}/${archiveName(entry.version, target)}`,
    ]),
  );
  for (const { archive, cmd } of Object.values(entry.distribution.binary)) {
    assert.match(archive, /\.(zip|tar\.gz)$/);
    assert.match(cmd, /^(\.\/patb-cli-bridge|patb-cli-bridge\.exe)$/);
  }
});

Deno.test("icon.svg is 16 by 16, in the colour of the text", async () => {
  const icon = await Deno.readTextFile(new URL("../../lib/release/icon.svg", import.meta.url));
  assert.match(icon, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
  assert.doesNotMatch(icon, /<!--|style/); // comments break the registry's pages
  for (const [attribute, value] of [["width", "16"], ["height", "16"], ["viewBox", "0 0 16 16"]]) {
    assert.ok(icon.includes(` ${attribute}="${value}"`), attribute);
  }
  const colours = [...icon.matchAll(/ (?:fill|stroke)="([^"]*)"/g)].map(([, colour]) => colour);
  assert.deepEqual(new Set(colours), new Set(["none", "currentColor"]));
});
