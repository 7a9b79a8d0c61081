/** What of a request a data policy looks at, beside where it is sent: parts that may be kept, other models and another place. */
import { describe, expect, test } from 'vitest';
import type { Deployment, Target } from '../../lib/core/catalog/model.ts';
import type { FoundApiKey } from '../../lib/core/ports/api-keys.ts';
import type { DataPolicy } from '../../lib/core/tenancy.ts';
import { readMessages } from '../../lib/operations/messages/read/read.ts';
import { messagesSchema } from '../../lib/operations/messages/read/schema.ts';
import { readWishes } from '../../lib/pipeline/data/forbidden-by.ts';
import { ownTargets } from '../../lib/pipeline/own/own-targets.ts';
import { testModel, testRequest } from '../harness/matrix/model.ts';
import { noNames } from '../harness/no-names.ts';

const at = (facts: Partial<Deployment> = {}): Deployment => ({
  provider: 'anthropic',
  region: 'global',
  upstreamId: 'one',
  ...facts,
});
const kept = testModel({ id: 'anthropic/keeps', deployments: [at()] });
const modelAt = (facts: Partial<Deployment>) => testModel({ id: 'anthropic/one', deployments: [at(facts)] });

type Generation = Pick<ReturnType<typeof readMessages>, 'request'>;

async function reasonOf(dataPolicy: DataPolicy, { request }: Generation, facts: Partial<Deployment>) {
  const model = modelAt(facts);
  const catalog = {
    find: async (id: string) => [model, kept].find((one) => one.id === id),
    list: async () => [],
    ...noNames,
  };
  const task = {
    preferences: undefined,
    generation: request,
    alsoCalls: () => request.original?.cost?.models ?? [],
  };
  const key = { id: 'key_1', tenant: 'acme', keyPolicy: { dataPolicy } } as FoundApiKey;
  const { forbiddenBy } = await readWishes({ catalog }, task, { key });
  return forbiddenBy?.({ model, deployment: at(facts) } as Target);
}

const messages = (more: object): Generation => {
  const body = {
    model: 'anthropic/one',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hi' }],
    ...more,
  };
  return readMessages(messagesSchema.parse(body), body);
};
const added = (definition: object) => ({
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'system', content: [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }] },
  ],
});
const skills = [{ type: 'anthropic', skill_id: 'pdf' }];

describe('zero retention refuses', () => {
  test.each<[string, Generation, string | undefined]>([
    [
      'a cache for a day',
      { request: testRequest({ prompt_cache_retention: '24h' }) },
      'prompt_cache_retention',
    ],
    [
      'one among the fields of its protocol',
      { request: testRequest({}, { nativeFields: { promptCacheRetention: '24h' } }) },
      'native_fields.promptCacheRetention',
    ],
    [
      'one that is in memory not',
      { request: testRequest({ prompt_cache_retention: 'in_memory' }) },
      undefined,
    ],
    [
      'a longer lifetime',
      { request: testRequest({ prompt_cache_options: { ttl: '24h' } }) },
      'prompt_cache_options',
    ],
    ['the usual one not', { request: testRequest({ prompt_cache_options: { ttl: '30m' } }) }, undefined],
    ['skills, which run in a container', messages({ container: { skills } }), 'container'],
    [
      'a search that a message adds',
      messages(added({ type: 'web_search_20250305', name: 'web_search' })),
      'tools',
    ],
    [
      'a tool whose name only begins as one of the caller’s',
      messages({ tools: [{ type: 'bash_elsewhere_20300101', name: 'a' }] }),
      'tools.0',
    ],
    ['a tool of the caller not', messages({ tools: [{ type: 'bash_20250124', name: 'bash' }] }), undefined],
    [
      'a fallback of Anthropic’s that keeps',
      messages({ fallbacks: [{ model: 'keeps' }] }),
      'fallbacks.0.model',
    ],
    ['one that is not known', messages({ fallbacks: 'default' }), 'fallbacks'],
    ['one that keeps nothing not', messages({ fallbacks: [{ model: 'one' }] }), undefined],
  ])('%s', async (_, asked, param) => {
    const reason = await reasonOf({ zdr: true }, asked, { retainsData: false });
    expect(reason).toBe(param && `data_policy.zdr:${param}`);
  });
});

test.each([
  ['global', 'data_policy.regions:inference_geo'],
  ['us', undefined],
])('a request for processing in %s widens no region', async (inference_geo, reason) => {
  expect(await reasonOf({ regions: ['us'] }, messages({ inference_geo }), { regions: ['us'] })).toBe(reason);
});

test.each([
  ['azure', 'swedencentral', undefined],
  ['openai', 'global', undefined],
  ['bedrock', 'eu-west-1', ['eu']],
])(
  'the regions of the operator’s account at %s say nothing of the tenant’s',
  async (provider, region, known) => {
    const credential = {
      id: 'cred_1',
      tenant: 'acme',
      account: provider,
      fallback: 'none',
      sealed: '',
    } as const;
    const parts = {
      providers: {
        load: async () => ({
          name: provider,
          isConfigured: () => true,
          authorize: (request: never) => request,
        }),
      },
      connections: {
        findAccess: async () => ({ settings: {} }),
        loadOwn: async () => ({ list: async () => [credential] }),
      },
    };
    const key = {
      id: 'key_1',
      tenant: 'acme',
      tenantPolicy: { ownProviders: [provider] },
    } as unknown as FoundApiKey;
    const place = { model: kept, deployment: at({ provider, region, regions: ['eu'] }) };
    const [own, shared] = await ownTargets(parts as never, key)([place]);
    expect([own?.credential?.id, own?.deployment.regions]).toEqual(['cred_1', known]);
    expect(shared).toBe(place);
  },
);
