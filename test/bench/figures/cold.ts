/** Cold starts: fresh processes of the most called functions and of the empty one, by turns. */
import { join } from 'node:path';
import type { OperationName } from '../../../lib/core/operations.ts';
import { operationEvent } from '../../harness/lambda/event.ts';
import { type ColdStart, timeColdStart } from '../cold/start.ts';
import type { Environment } from '../contenders.ts';
import type { ColdStarts } from '../measured.ts';
import { anthropicProtocol } from '../protocols/anthropic.ts';
import { askChat, openaiProtocol } from '../protocols/openai.ts';
import type { Work } from '../protocols/protocol.ts';
import { askResponses } from '../protocols/responses.ts';
import { functionEnvironment } from '../servers/function-environment.ts';
import { median } from '../statistics.ts';

const work: Work = { pieces: 5, paceMs: 0, messages: 3 };

interface Asked {
  readonly name: OperationName;
  /** Absent: it is asked with GET. */
  readonly body?: object;
  readonly expect: string;
}

/** The most called functions, each for a stream of the provider that its requests most often go to. */
export const asked: readonly Asked[] = [
  { name: 'chat-completions', body: askChat(openaiProtocol.model, work, true), expect: '#0 ' },
  {
    name: 'messages',
    body: { ...anthropicProtocol.ask(work, true), model: anthropicProtocol.model },
    expect: '#0 ',
  },
  { name: 'responses', body: askResponses(openaiProtocol.model, work, true), expect: '#0 ' },
  { name: 'models', expect: openaiProtocol.model },
];

export async function measureColdStarts(
  environment: Environment,
  processes: number,
): Promise<readonly ColdStarts[]> {
  const starts = asked.map((one) => ({ name: one.name, start: coldStart(environment, one) }));
  const hello = coldHello(environment);
  // The first of each reads the files from the disk.
  for (const start of [hello, ...starts.map((one) => one.start)]) await timeColdStart(start);
  const turns: { hello: number; functions: number[] }[] = [];
  for (let turn = 0; turn < processes; turn += 1) {
    const times = { hello: await timeColdStart(hello), functions: [] as number[] };
    for (const { start } of starts) times.functions.push(await timeColdStart(start));
    turns.push(times);
  }
  return starts.map(({ name }, index) => {
    const taken = turns.map(({ hello, functions }) => ({ hello, own: functions[index] ?? Number.NaN }));
    return {
      function: name,
      processes,
      hello: median(taken.map(({ hello }) => hello)),
      own: median(taken.map(({ own }) => own)),
      overHello: median(taken.map(({ hello, own }) => own / hello)),
    };
  });
}

function coldHello({ bundles }: Environment): ColdStart {
  return {
    bundle: join(bundles, 'hello/index.mjs'),
    preload: join(bundles, '../preload.mjs'),
    environment: {},
    event: {},
    expect: 'hello',
  };
}

function coldStart(environment: Environment, { name, body, expect }: Asked): ColdStart {
  const { bundles, upstreamUrl, tablesUrl, apiKey } = environment;
  return {
    bundle: join(bundles, name, 'index.mjs'),
    preload: join(bundles, '../preload.mjs'),
    environment: {
      ...functionEnvironment(upstreamUrl, tablesUrl),
      // As Lambda starts a function for a request.
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    },
    event: operationEvent(name, { bearer: apiKey, body }),
    expect,
  };
}
