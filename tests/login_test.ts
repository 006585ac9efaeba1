import assert from "node:assert/strict";
import { BridgeError } from "../lib/errors.ts";
import { createKeyStore } from "../lib/key_store.ts";
import { login } from "../lib/login.ts";
import { configFolder } from "../lib/user_folders.ts";

Deno.test("login keeps a key that the service takes, and says what became of it", async () => {
  const refused = new BridgeError("authRequired", "it refuses the API key");
  const table: [string | undefined, Error | undefined, Error | undefined, number, RegExp][] = [
    [" key\n", undefined, undefined, 0, /^Logged in/],
    [undefined, undefined, undefined, 1, /^No key was given/],
    [" \n", undefined, undefined, 1, /^No key was given/],
    ["key", refused, undefined, 1, /^The key was not kept\. it refuses the API key$/],
    ["key", undefined, new Error("disk full"), 1, /cannot be kept: disk full$/],
  ];
  for (const [key, checkFails, keepFails, status, message] of table) {
    const kept: string[] = [];
    const said: string[] = [];
    const result = await login({
      host: "service.test",
      ask: () => Promise.resolve(key),
      check: () => checkFails === undefined ? Promise.resolve() : Promise.reject(checkFails),
      keep(key) {
        if (keepFails !== undefined) throw keepFails;
        kept.push(key);
      },
      say: (message) => said.push(message),
    });
    assert.equal(result, status);
    assert.match(said.join(), message);
    assert.deepEqual(kept, status === 0 ? ["key"] : []);
  }
});

Deno.test("createKeyStore keeps the key for the user alone", async () => {
  const folder = `${await Deno.makeTempDir()}/deep/er`;
  const store = createKeyStore(folder);
  assert.equal(store.read(), undefined);
  store.remove();
  for (const key of ["one", "two"]) {
    store.write(key);
    assert.equal(store.read(), key);
  }
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["key"]);
  if (Deno.build.os !== "windows") {
    assert.equal((Deno.statSync(`${folder}/key`).mode ?? 0) & 0o777, 0o600);
  }
  store.remove();
  assert.equal(store.read(), undefined);
  assert.throws(() => createKeyStore(undefined).write("key"), /no home folder/);
  assert.equal(createKeyStore(undefined).read(), undefined);
});

Deno.test("configFolder is where each system keeps such things", () => {
  const name = "patb-cli-bridge";
  const table: [Parameters<typeof configFolder>[0], string | undefined][] = [
    [{ os: "linux", HOME: "/home/me" }, `/home/me/.config/${name}`],
    [{ os: "linux", HOME: "/home/me", XDG_CONFIG_HOME: "/xdg" }, `/xdg/${name}`],
    [{ os: "linux", HOME: "/home/me", XDG_CONFIG_HOME: "relative" }, `/home/me/.config/${name}`],
    [{ os: "linux", HOME: "" }, undefined],
    [{ os: "linux" }, undefined],
    [{ os: "darwin", HOME: "/Users/me" }, `/Users/me/Library/Application Support/${name}`],
    [
      { os: "windows", APPDATA: "C:\\Users\\me\\AppData\\Roaming" },
      `C:\\Users\\me\\AppData\\Roaming\\${name}`,
    ],
    [{ os: "windows", HOME: "/home/me" }, undefined],
  ];
  for (const [user, folder] of table) assert.equal(configFolder(user), folder);
});
