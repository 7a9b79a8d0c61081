/** Other gateways, asked for the same work. None is a dependency of the project: the README installs them elsewhere. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Contender, type Environment, write } from './contenders.ts';
import type { Peer, PeerName } from './options.ts';
import { protocols } from './protocols/all.ts';
import { askChat, openaiProtocol } from './protocols/openai.ts';
import { freeUrl } from './servers/announce.ts';
import { startServer } from './servers/server-process.ts';
import type { Session } from './session.ts';

type StartPeer = (session: Session, directory: string) => Promise<Contender>;

const starts: Readonly<Record<PeerName, StartPeer>> = { portkey: startPortkey, litellm: startLitellm };

export const startPeer = (session: Session, { name, directory }: Peer): Promise<Contender> =>
  starts[name](session, directory);

/** It takes an upstream's address from the request. */
async function startPortkey({ upstreamUrl }: Environment, directory: string): Promise<Contender> {
  const url = await freeUrl();
  const server = await startServer({
    program: join(directory, 'node_modules/@portkey-ai/gateway/build/start-server.js'),
    parameters: [`--port=${new URL(url).port}`, '--headless'],
    environment: { TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
    url,
  });
  return {
    name: 'portkey',
    url,
    process: server,
    question: (protocol, work, stream) => ({
      path: '/v1/chat/completions',
      headers: {
        authorization: 'Bearer benchmark',
        'x-portkey-provider': protocol.name,
        // It adds the version to Google's URL.
        'x-portkey-custom-host': `${upstreamUrl}${protocol.base.replace('/v1beta', '')}`,
      },
      // It ends Gemini's streams without `[DONE]`.
      ...write(
        askChat(protocol.model.replace(/^.*\//, ''), work, stream),
        work,
        protocol.name === 'google' ? { end: '}' } : openaiProtocol,
        stream,
      ),
    }),
  };
}

const litellmKey = 'sk-benchmark';

/** LiteLLM's names of the providers. */
const litellmProviders: Readonly<Record<string, string>> = { google: 'gemini' };

/** With a key and a list of models, and nothing else: no database, no callbacks. */
async function startLitellm({ upstreamUrl, directory: own }: Session, directory: string): Promise<Contender> {
  const url = await freeUrl();
  const config = join(own, 'litellm.json');
  // YAML contains JSON.
  await writeFile(
    config,
    JSON.stringify({
      model_list: protocols.map(({ name, model, base }) => ({
        model_name: model,
        litellm_params: {
          model: `${litellmProviders[name] ?? name}/${model.replace(/^.*\//, '')}`,
          // It adds the version to Anthropic's URL.
          api_base: `${upstreamUrl}${name === 'anthropic' ? base.replace('/v1', '') : base}`,
          api_key: 'benchmark',
        },
      })),
      general_settings: { master_key: litellmKey },
      litellm_settings: { telemetry: false },
    }),
  );
  const server = await startServer({
    interpreter: join(directory, 'bin/python'),
    program: join(directory, 'bin/litellm'),
    parameters: ['--config', config, '--host', '127.0.0.1', '--port', new URL(url).port],
    // Its table of prices is on another machine.
    environment: { LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_LOG: 'ERROR' },
    url: `${url}/health/liveliness`,
  });
  return {
    name: 'litellm',
    url,
    process: server,
    question: (protocol, work, stream) => ({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${litellmKey}` },
      ...write(askChat(protocol.model, work, stream), work, openaiProtocol, stream),
    }),
  };
}
