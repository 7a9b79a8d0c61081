/** What a light request waits beside one with a large body: all requests of a process share one thread. */
import { type Client, createClient, type Question } from '../client.ts';
import type { Contender } from '../contenders.ts';
import type { Beside } from '../measured.ts';
import { openaiProtocol } from '../protocols/openai.ts';
import { quantile } from '../statistics.ts';

const largeBytes = 5 * 1024 * 1024;
const sentence = 'A sentence of a long document that somebody asks about. ';

/** `ms`: for each half. */
export async function measureBeside(contender: Contender, ms: number): Promise<Beside> {
  const client = createClient(contender.url);
  const light = contender.question(openaiProtocol, { pieces: 10, paceMs: 0, messages: 1 }, false);
  const large = withDocument(light);
  await Promise.all([askFor(client, light, ms / 2), client.ask(large)]);
  const alone = await askFor(client, light, ms);
  let isOver = false;
  const besides = (async () => {
    while (!isOver) await client.ask(large);
  })();
  const beside = await askFor(client, light, ms);
  isOver = true;
  await besides;
  await client.close();
  return { megabytes: largeBytes / 1024 / 1024, alone: timesOf(alone), beside: timesOf(beside) };
}

function withDocument(question: Question): Question {
  const body = JSON.parse(question.body);
  const document = { role: 'user', content: sentence.repeat(largeBytes / sentence.length) };
  return { ...question, body: JSON.stringify({ ...body, messages: [document, ...body.messages] }) };
}

/** One caller, one request after the other: the time of each, in ms. */
async function askFor(client: Client, question: Question, ms: number): Promise<readonly number[]> {
  const times: number[] = [];
  const until = performance.now() + ms;
  while (performance.now() < until) times.push((await client.ask(question)).whole);
  return times;
}

const timesOf = (times: readonly number[]) => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) });
