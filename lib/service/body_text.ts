/** Reads a body as text, but not more than `limit` bytes of it: no honest answer is endless. */
export async function bodyText(response: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > limit) break;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}
