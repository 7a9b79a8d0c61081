/** Reads an answer while it is written, so that a provider's script can wait for what the caller has seen. */

interface ReadAlong {
  /** Resolves when the text so far fits. */
  until(fits: (text: string) => boolean): Promise<void>;
  /** Reads to the end, and gives the whole text. */
  read(answer: Promise<Response>): Promise<string>;
  /** The same for a body. */
  readBody(body: AsyncIterable<Uint8Array>): Promise<string>;
}

export function readAlong(): ReadAlong {
  let text = '';
  let waiting: { readonly fits: (text: string) => boolean; readonly resolve: () => void }[] = [];
  const add = (more: string) => {
    text += more;
    for (const { fits, resolve } of waiting) if (fits(text)) resolve();
    waiting = waiting.filter(({ fits }) => !fits(text));
  };
  const readBody = async (body: AsyncIterable<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of body) add(decoder.decode(chunk, { stream: true }));
    return text;
  };
  return {
    readBody,
    until: (fits) =>
      new Promise((resolve) => {
        waiting.push({ fits, resolve });
        add('');
      }),
    async read(answer) {
      const { body } = await answer;
      return body ? await readBody(body) : text;
    },
  };
}
