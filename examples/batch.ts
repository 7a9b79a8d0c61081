/** Questions of an evaluation for three models in one batch, at the prices of batches, and their answers side by side. */
import { setTimeout as pause } from 'node:timers/promises';
import OpenAI, { toFile } from 'openai';

const models = ['openai/gpt-4.1-mini', 'anthropic/claude-haiku-4-5', 'google/gemini-3.5-flash'];

const questions: Readonly<Record<string, string>> = {
  moons: 'Which planet has the most moons? One word.',
  primes: 'Which is the smallest prime number above 100? Only the number.',
  capital: 'What is the capital of Australia? One word.',
};

interface Failure {
  readonly error?: { readonly message: string };
}

/** A line of the output file, or of the error file. */
interface ResultLine {
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly body: Partial<OpenAI.Chat.ChatCompletion> & Failure;
  } | null;
  /** Of a line that was not answered. */
  readonly error: { readonly message: string } | null;
}

/** What the gateway adds to a batch. */
interface GatewayBatch extends OpenAI.Batch {
  readonly extra: {
    readonly plan: readonly { model: string; provider: string; lines: number; by: string }[];
    readonly cost: number | null;
    readonly saving: number | null;
  };
}

const url = '/v1/chat/completions';

const lines = Object.entries(questions).flatMap(([name, content]) =>
  models.map((model) => ({
    custom_id: `${name} ${model}`,
    method: 'POST',
    url,
    body: { model, messages: [{ role: 'user', content }], max_completion_tokens: 500 },
  })),
);

const client = new OpenAI();
const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const file = await client.files.create({
  file: await toFile(Buffer.from(text), 'evaluation.jsonl'),
  purpose: 'batch',
});

let batch = await client.batches.create({ input_file_id: file.id, endpoint: url, completion_window: '24h' });
while (!['completed', 'failed', 'expired', 'cancelled'].includes(batch.status)) {
  await pause(2_000);
  batch = await client.batches.retrieve(batch.id);
}

/** The lines of a file; none where there is no such file. */
async function read(id: string | null | undefined): Promise<readonly ResultLine[]> {
  if (!id) return [];
  const content = await (await client.files.content(id)).text();
  return content
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const results = [...(await read(batch.output_file_id)), ...(await read(batch.error_file_id))];
const answers = new Map(
  results.map(({ custom_id, response, error }) => {
    const { choices, error: failure = error } = response?.body ?? {};
    return [custom_id, choices?.[0]?.message.content ?? `no answer: ${failure?.message}`];
  }),
);

for (const [name, question] of Object.entries(questions)) {
  console.log(`\n${question}`);
  for (const model of models) console.log(`  ${model}: ${answers.get(`${name} ${model}`)}`);
}

const { extra } = batch as GatewayBatch;
for (const { model, provider, lines: count, by } of extra.plan)
  console.log(`\n${count} lines for ${model}, answered ${by} by ${provider}`);
console.log(`\n${batch.status}, cost: ${extra.cost} USD, saved: ${extra.saving} USD`);
