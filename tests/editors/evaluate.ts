/** Runs a program that is on the path; nothing where it is not. */
async function run(command: string, args: string[]): Promise<string | undefined> {
  try {
    const { success, stdout, stderr } = await new Deno.Command(command, { args }).output();
    const decoder = new TextDecoder();
    if (!success) throw new Error(`${command}: ${decoder.decode(stderr)}`);
    return decoder.decode(stdout);
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return undefined;
    throw thrown;
  }
}

async function evaluate(
  commands: string[][],
  suffix: string,
  source: string,
): Promise<string[] | undefined> {
  const file = await Deno.makeTempFile({ suffix });
  await Deno.writeTextFile(file, source);
  try {
    for (const [command = "", ...args] of commands) {
      const printed = await run(command, [...args, file]);
      if (printed === undefined) continue;
      return printed.trim().split(/\r?\n/).map(fromHex);
    }
    return undefined;
  } finally {
    await Deno.remove(file);
  }
}

function fromHex(line: string): string {
  const bytes = [...line.matchAll(/[\da-f]{2}/g)].map(([byte]) => parseInt(byte, 16));
  return new TextDecoder().decode(new Uint8Array(bytes));
}

/** What a list of strings is to Lua, after a prologue; nothing where there is no Lua. */
export function evaluateLua(list: string, prologue = ""): Promise<string[] | undefined> {
  return evaluate(
    [["luajit"], ["lua5.1"], ["lua"], ["lua5.4"]],
    ".lua",
    `${prologue}
for _, text in ipairs(${list}) do
  print((text:gsub(".", function(byte) return string.format("%02x", byte:byte()) end)))
end
`,
  );
}

/** What a list of strings is to Emacs, after a prologue; nothing where there is no Emacs. */
export function evaluateLisp(list: string, prologue = ""): Promise<string[] | undefined> {
  return evaluate(
    [["emacs", "-Q", "--batch", "-l"]],
    ".el",
    `;; -*- coding: utf-8; lexical-binding: t -*-
${prologue}
(dolist (text ${list})
  (princ (mapconcat (lambda (byte) (format "%02x" byte)) (encode-coding-string text 'utf-8) ""))
  (princ "\\n"))
`,
  );
}
