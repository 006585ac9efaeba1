import assert from "node:assert/strict";
import fc from "fast-check";
import { plainText, terminalText } from "../../lib/chat/terminal_text.ts";

/** The text without the colours that were put into it. */
function withoutColors(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/\u001b\[\d+m/g, "");
}

Deno.test("terminalText changes nothing but colours", () => {
  const markdown = fc.array(
    fc.constantFrom("#", " ", "`", "```", "~~~", "\n", "**", "a", "世", "\t"),
  );
  fc.assert(fc.property(markdown, (parts) => {
    const text = parts.join("");
    assert.equal(withoutColors(terminalText(text)), text);
  }));
});

Deno.test("plainText lets nothing through that could move the cursor", () => {
  const table: [string, string][] = [
    ["\u001b[2J\u001b]0;title\u0007a", "a"],
    ["a\rb\r\nc", "a\nb\nc"],
    ["a\u0008b\u009b2Jc\tд", "a\ufffdbc\tд"],
  ];
  for (const [text, plain] of table) {
    assert.equal(plainText(text), plain);
  }
  assert.equal(plainText("a\tb\nc 世"), "a\tb\nc 世");
});
