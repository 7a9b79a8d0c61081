/**
 * A thread that is a provider and its own caller: it asks the gateway again and again, and answers each question with what never
 * ends or is very long. So neither takes time of the thread that measures.
 */
import { parentPort } from 'node:worker_threads';
import { postJson } from '../harness/post.ts';
import { endless, head, startHostileUpstream } from './hostile-upstream.ts';

/** What the thread is to do: where the gateway is, and with which answer to attack; nothing: to rest. */
export interface Order {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly answer: keyof typeof answers | undefined;
}

const sse = head('text/event-stream');
const block = 'x'.repeat(64 * 1024);

/** A thousand times a hundred calls of tools. */
const calls = Array.from({ length: 1_000 }, (_, hundred) =>
  Buffer.from(Array.from({ length: 100 }, (_, one) => callOf(100 * hundred + one)).join('')),
);
const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n';

function callOf(index: number): string {
  const call = { index, id: `c${index}`, function: { name: 'f', arguments: '{}' } };
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })}\n\n`;
}

const answers = {
  'a line without end': () => endless([sse, 'data: '], block),
  'events without end': () => endless([sse], `data: {"choices":[]}\n\n`.repeat(500)),
  'a hundred thousand calls of tools': () => [sse, ...calls, finish],
};

const upstream = await startHostileUpstream();
let order: Order | undefined;
/** Ends what is being asked when there is another order. */
let asked = new AbortController();

parentPort?.on('message', (next: Order) => {
  asked.abort();
  asked = new AbortController();
  order = next;
  const { answer } = next;
  if (answer === undefined) return;
  upstream.script(answers[answer]);
  void attack(next, asked.signal);
});
parentPort?.postMessage(upstream.url);

async function attack(now: Order, signal: AbortSignal): Promise<void> {
  while (order === now) {
    await ask(now, signal).catch(() => {});
  }
}

async function ask({ baseUrl, apiKey }: Order, signal: AbortSignal): Promise<void> {
  const response = await postJson(
    `${baseUrl}/chat/completions`,
    apiKey,
    {
      model: 'openai/gpt-4.1-mini',
      messages: [{ role: 'user', content: 'Hello.' }],
      stream: true,
    },
    { signal },
  );
  for await (const _ of response.body ?? []) if (signal.aborted) return;
}
