/** Cold starts: fresh processes of the gateway's chat function and of the empty one, by turns. */
import { join } from 'node:path';
import { operationEvent } from '../../harness/lambda/event.ts';
import { type ColdStart, timeColdStart } from '../cold/start.ts';
import type { Environment } from '../contenders.ts';
import type { ColdStarts } from '../measured.ts';
import { askChat, openaiProtocol } from '../protocols/openai.ts';
import { functionEnvironment } from '../servers/function-environment.ts';
import { median } from '../statistics.ts';

export async function measureColdStarts(environment: Environment, processes: number): Promise<ColdStarts> {
  const [hello, gateway] = [coldHello(environment), coldGateway(environment)];
  // The first of each reads the files from the disk.
  await timeColdStart(hello);
  await timeColdStart(gateway);
  const pairs: { hello: number; gateway: number }[] = [];
  for (let turn = 0; turn < processes; turn += 1) {
    pairs.push({ hello: await timeColdStart(hello), gateway: await timeColdStart(gateway) });
  }
  return {
    processes,
    hello: median(pairs.map((pair) => pair.hello)),
    gateway: median(pairs.map((pair) => pair.gateway)),
    overHello: median(pairs.map((pair) => pair.gateway / pair.hello)),
  };
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

function coldGateway(environment: Environment): ColdStart {
  const { bundles, upstreamUrl, tablesUrl } = environment;
  const work = { pieces: 5, paceMs: 0, messages: 3 };
  return {
    bundle: join(bundles, 'chat-completions', 'index.mjs'),
    preload: join(bundles, '../preload.mjs'),
    environment: {
      ...functionEnvironment(upstreamUrl, tablesUrl),
      // As Lambda starts a function for a request.
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    },
    event: operationEvent('chat-completions', {
      bearer: environment.apiKey,
      body: askChat(openaiProtocol.model, work, true),
    }),
    expect: '#0 ',
  };
}
