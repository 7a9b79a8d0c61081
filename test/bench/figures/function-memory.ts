/** The most memory that a function's process ever takes, under the real runtime client: what its memory size must hold. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LambdaEngine, startLambdaEngine } from '../../harness/lambda/engine.ts';
import { chatEvent, chatOperation } from '../cold/event.ts';
import type { Environment } from '../contenders.ts';
import type { FunctionMemory } from '../measured.ts';
import { askChat, openaiProtocol } from '../protocols/openai.ts';
import { functionEnvironment } from '../servers/function-environment.ts';

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

/** Empty if the system does not report it. */
export async function measureFunctionMemory(environment: Environment): Promise<readonly FunctionMemory[]> {
  const measured: FunctionMemory[] = [];
  for (const load of loads) {
    const peak = await measure(environment, load);
    if (peak !== undefined) measured.push({ after: load.after, peak });
  }
  return measured;
}

async function measure(environment: Environment, { requests, ask }: Load): Promise<number | undefined> {
  const engine = await startLambdaEngine({
    bundle: join(environment.bundles, chatOperation.name, 'index.mjs'),
    preload: join(environment.bundles, '../preload.mjs'),
    environment: functionEnvironment(environment.upstreamUrl, environment.tablesUrl),
  });
  try {
    const event = chatEvent(environment, ask());
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

/** In MB, as reported by Linux. */
async function peakOf(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
