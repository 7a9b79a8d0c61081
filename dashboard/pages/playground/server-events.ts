/** Reads a stream of server-sent events: the data of each, in order. */

/** Longer lines than any chunk of an answer: what sends them is no gateway. */
const maxLine = 4_000_000;

/** @throws Error for a line that does not end; what the stream itself fails with. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? `${decoder.decode()}\n` : decoder.decode(value, { stream: true });
      const lines = rest.split(/\r?\n/);
      rest = lines.pop() ?? '';
      if (rest.length > maxLine) throw new Error('The answer has a line without an end.');
      for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trimStart();
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
