/** A string as Lua source, of 5.1 and newer (https://www.lua.org/manual/5.1/manual.html#2.1). */
export function luaString(text: string): string {
  return quote(text, (control) => {
    const bytes = [...new TextEncoder().encode(control)];
    return bytes.map((byte) => `\\${String(byte).padStart(3, "0")}`).join("");
  });
}

/**
 * A string as Emacs Lisp source
 * (https://www.gnu.org/software/emacs/manual/html_node/elisp/General-Escape-Syntax.html).
 */
export function lispString(text: string): string {
  return quote(text, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** What is neither control character, quote nor backslash stands as it is, as UTF-8. */
function quote(text: string, escape: (control: string) => string): string {
  const escaped = text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
  return `"${escaped.replaceAll(/\p{Cc}/gu, escape)}"`;
}
