/** A local gateway with hosts and models of the operator's own, for the tests of a file. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type GatewayOptions, type LocalGateway, startGateway } from '../../local/gateway.ts';
import { newDirectory } from '../harness/new-directory.ts';

interface Own extends Pick<GatewayOptions, 'environment' | 'database'> {
  readonly hosts?: readonly object[];
  readonly models: readonly object[];
}

/** `begin` is given the directory of the data; what it opens, `end` closes. */
export function useOwnGateway(begin: (directory: string) => Promise<Own>, end: () => Promise<unknown>) {
  const directory = newDirectory();
  let gateway: LocalGateway;
  beforeAll(async () => {
    const { hosts = [], models, ...options } = await begin(directory);
    await writeFile(join(directory, 'hosts.json'), JSON.stringify(hosts));
    await writeFile(join(directory, 'models.json'), JSON.stringify(models));
    gateway = await startGateway({ port: 0, dataDirectory: directory, ...options });
  });
  afterAll(async () => {
    await gateway?.close();
    await end();
  });
  return {
    directory: () => directory,
    gateway: () => gateway,
    post: (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.apiKey}`,
          'content-type': 'application/json',
          ...headers,
        },
        body: JSON.stringify(body),
      }),
  };
}

export const modelRow = (id: string, provider: string, more: object = {}) => ({
  id,
  created: '2026-11-20',
  status: 'active',
  endpoints: ['chat_completions', 'responses'],
  modalities: { input: ['text', 'image'], output: ['text'] },
  limits: { context: 32_768, input: null, output: null },
  traits: {},
  price: { input: 0, output: 0 },
  deployments: [{ provider, region: 'global', upstreamId: id.split('/')[1] }],
  ...more,
});
