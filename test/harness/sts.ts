/** A service of tokens on loopback: takes forms, answers as a test scripts it, and records the calls. */
import { createServer, type ServerResponse } from 'node:http';
import { end, listen } from './listening.ts';

interface Sts {
  readonly url: string;
  readonly calls: readonly { readonly authorization: string | undefined; readonly body: string }[];
  close(): Promise<void>;
}

export async function startSts(answer: (response: ServerResponse) => void): Promise<Sts> {
  const calls: { authorization: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    calls.push({ authorization: request.headers.authorization, body: Buffer.concat(chunks).toString() });
    answer(response);
  });
  const url = await listen(server);
  return {
    url: `${url}/`,
    calls,
    close: () => end(server),
  };
}
