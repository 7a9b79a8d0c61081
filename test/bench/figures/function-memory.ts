/** The most memory that a function's process ever takes, under the real runtime client: what its memory size must hold. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LambdaEngine, startLambdaEngine } from '../../harness/lambda/engine.ts';
import { chatEvent, chatOperation } from '../cold/event.ts';
import type { Places } from '../contenders.ts';
import { functionEnvironment } from '../function-environment.ts';
import type { FunctionMemory } from '../measured.ts';
import { askChat, openaiProtocol } from '../protocols/openai.ts';

interface Load {
  readonly after: string;
  readonly requests: number;
  readonly ask: () => object;
}

const usual = { messages: 3, pieces: 400, paceMs: 0 };

/** As large as a request may be: Lambda takes events of 6 MB. */
function askMuch(): object {
  const [system, ...turns] =
    Object.values(askChat(openaiProtocol.model, usual, true)).find(Array.isArray) ?? [];
  const document = { role: 'user', content: 'Much to read. '.repeat(380_000) };
  return { model: openaiProtocol.model, stream: true, messages: [system, document, ...turns] };
}

const loads: readonly Load[] = [
  { after: 'one stream', requests: 1, ask: () => askChat(openaiProtocol.model, usual, true) },
  { after: 'a hundred streams', requests: 100, ask: () => askChat(openaiProtocol.model, usual, true) },
  {
    after: 'ten answers of 1.7 MB',
    requests: 10,
    ask: () => askChat(openaiProtocol.model, { ...usual, pieces: 100_000 }, false),
  },
  { after: 'ten requests of 5.3 MB', requests: 10, ask: askMuch },
];

/** Empty where the system does not tell. */
export async function measureFunctionMemory(places: Places): Promise<readonly FunctionMemory[]> {
  const measured: FunctionMemory[] = [];
  for (const load of loads) {
    const peak = await measure(places, load);
    if (peak !== undefined) measured.push({ after: load.after, peak });
  }
  return measured;
}

async function measure(places: Places, { requests, ask }: Load): Promise<number | undefined> {
  const engine = await startLambdaEngine({
    bundle: join(places.bundles, chatOperation.name, 'index.mjs'),
    preload: join(places.bundles, '../preload.mjs'),
    environment: functionEnvironment(places.upstreamUrl, places.tablesUrl),
  });
  try {
    const event = chatEvent(places, ask());
    for (let request = 0; request < requests; request += 1) await answered(engine, event);
    return await peakOf(engine.pid);
  } finally {
    await engine.close();
  }
}

async function answered(engine: LambdaEngine, event: object): Promise<void> {
  const { prelude, chunks } = await engine.invoke(event);
  for await (const _ of chunks);
  if (prelude?.statusCode !== 200) throw new Error(`The function answered ${prelude?.statusCode}.`);
}

/** In MB, as Linux tells it. */
async function peakOf(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
