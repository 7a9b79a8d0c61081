/** Which targets a request may be sent to, and what a caller sees of those that are left out. */
import { describe, expect, test } from 'vitest';
import type { Deployment, Model, Target } from '../../lib/core/catalog/model.ts';
import type { Availability } from '../../lib/routing/deployments.ts';
import { createHealth } from '../../lib/routing/health.ts';
import { type PlanRequest, plan } from '../../lib/routing/plan.ts';
import { testModel } from '../harness/matrix/model.ts';
import { noNames } from '../harness/no-names.ts';

const deployment = (provider: string, region = 'global', more: Partial<Deployment> = {}): Deployment => ({
  provider,
  region,
  upstreamId: 'one',
  ...more,
});
const model = (id: string, ...deployments: Deployment[]): Model =>
  testModel({ id, deployments: deployments.length > 0 ? deployments : [deployment(id)] });

const models = [
  model('a', deployment('east'), deployment('west')),
  model('b'),
  model('c'),
  model('d'),
  model('e', deployment('closed'), deployment('open')),
  model('f', deployment('closed')),
  model(
    'g',
    deployment('cloud', 'one'),
    deployment('cloud', 'two', { equalToPrevious: true }),
    deployment('elsewhere'),
  ),
  model('h', deployment('simulated'), deployment('real')),
  model('i', deployment('simulated')),
  testModel({ id: 'seeing', modalities: { input: ['text', 'image'], output: ['text'] } }),
  testModel({ id: 'retired', status: 'retired' }),
  testModel({ id: 'picture', endpoints: ['images_generations'] }),
];
const catalog = {
  find: async (id: string) => models.find((known) => known.id === id),
  list: async () => models,
  ...noNames,
};

async function planned(
  request: Partial<PlanRequest>,
  { failing = [] as readonly string[], closed = ['closed'] as readonly string[] } = {},
) {
  const health = createHealth({ now: () => 1 });
  for (const { deployments, ...rest } of models) {
    for (const deployment of deployments.filter(({ provider }) => failing.includes(provider))) {
      for (let times = 0; times < 3; times++) health.failed({ model: { ...rest, deployments }, deployment });
    }
  }
  const availability = async ({ deployment: { provider } }: Target): Promise<Availability> => {
    if (closed.includes(provider)) return 'absent';
    return provider === 'simulated' ? 'sandbox' : 'real';
  };
  const { targets, changes } = await plan(
    { catalog, health, availability },
    { model: 'a', fallbacks: [], endpoint: 'chat_completions', needs: [{ modality: 'text' }], ...request },
  );
  return { targets: targets.map(nameOf), changes };
}

const nameOf = ({ model: { id }, deployment: { provider, region } }: Target) => {
  if (id === provider) return id;
  return `${id} at ${provider}${region === 'global' ? '' : ` ${region}`}`;
};

describe('the order', () => {
  test.each<[readonly string[], readonly string[]]>([
    [[], ['a at east', 'a at west']],
    [['b'], ['a at east', 'b', 'a at west']],
    [
      ['b', 'c'],
      ['a at east', 'b', 'c'],
    ],
  ])('primary, fallbacks %j, other deployments of the primary', async (fallbacks, expected) => {
    expect(await planned({ fallbacks })).toEqual({ targets: expected, changes: [] });
  });

  test('a target that keeps failing comes last, and another deployment of its model first', async () => {
    const fallbacks = ['b'];
    expect((await planned({ fallbacks }, { failing: ['east'] })).targets).toEqual([
      'a at west',
      'b',
      'a at east',
    ]);
    expect((await planned({ fallbacks }, { failing: ['east', 'west'] })).targets).toEqual([
      'b',
      'a at east',
      'a at west',
    ]);
    expect((await planned({ model: 'b' }, { failing: ['b'] })).targets).toEqual(['b']);
  });
});

describe('a conversation', () => {
  const firstFor = async (session: string) => {
    const { targets } = await planned({ model: 'g', conversation: () => session });
    expect(targets.at(-1), 'another provider comes last').toBe('g at elsewhere');
    return targets[0];
  };

  test('is always sent to the same deployment', async () => {
    const targets = await Promise.all(Array.from({ length: 20 }, () => firstFor('tenant one')));
    expect(new Set(targets).size).toBe(1);
  });

  test('conversations together use every deployment', async () => {
    const targets = await Promise.all(Array.from({ length: 40 }, (_, count) => firstFor(`tenant ${count}`)));
    expect(new Set(targets)).toEqual(new Set(['g at cloud one', 'g at cloud two']));
  });

  test('goes to another deployment only while its own keeps failing', async () => {
    const session = 'tenant one';
    const elsewhere = await planned({ conversation: () => session }, { failing: ['east'] });
    expect(elsewhere.targets).toEqual(['a at west', 'a at east']);
    expect((await planned({ conversation: () => session })).targets).toEqual(['a at east', 'a at west']);
  });
});

describe('a deployment without credentials', () => {
  test('is passed over', async () => {
    expect((await planned({ model: 'e' })).targets).toEqual(['e at open']);
    expect((await planned({ model: 'f', fallbacks: ['b'] })).targets).toEqual(['b']);
  });

  test('is kept if there is no other target, so that the caller gets the reason', async () => {
    expect((await planned({ model: 'f' })).targets).toEqual(['f at closed']);
    const nothing = { closed: ['east', 'west', 'b'] };
    expect((await planned({ fallbacks: ['b'] }, nothing)).targets).toEqual(['a at east']);
  });
});

test('the sandbox is used only for a model without a real deployment', async () => {
  expect((await planned({ model: 'h' })).targets).toEqual(['h at real']);
  expect((await planned({ model: 'i' })).targets).toEqual(['i at simulated']);
});

describe('fallbacks that are not tried are reported', () => {
  test.each<[string, readonly string[], readonly string[], RegExp]>([
    ['beyond the third target', ['b', 'c', 'd'], ['b', 'c'], /at most 3 targets/],
    ['named twice', ['b', 'b'], ['b'], /tried once/],
    ['the model itself', ['a', 'b'], ['b'], /tried once/],
    ['without credentials', ['f', 'b'], ['b'], /No credentials/],
  ])('%s', async (_name, before, after, reason) => {
    const { changes } = await planned({ fallbacks: before });
    expect(changes).toEqual([
      { param: 'extra.fallbacks', action: 'override', before, after, reason: expect.stringMatching(reason) },
    ]);
  });
});

const picture = { modality: 'image', param: 'messages.2.content.1' };

test.each([
  [{ model: 'nothing' }, { kind: 'model_not_found', param: 'model' }],
  [{ model: 'retired' }, { kind: 'model_not_found', param: 'model' }],
  [{ fallbacks: ['b', 'nothing'] }, { kind: 'invalid_request', param: 'extra.fallbacks.1' }],
  [{ fallbacks: ['retired'] }, { kind: 'invalid_request', param: 'extra.fallbacks.0' }],
  [{ fallbacks: ['picture'] }, { kind: 'unsupported_operation', param: 'extra.fallbacks.0' }],
  [{ needs: [{ modality: 'image' }] }, { code: 'unsupported_modality', param: 'model' }],
  [{ needs: [picture] }, { code: 'unsupported_modality', param: picture.param }],
  [
    { model: 'seeing', fallbacks: ['seeing', 'b'], needs: [picture] },
    { code: 'unsupported_modality', param: 'extra.fallbacks.1' },
  ],
])('%j names what cannot be served', async (request, expected) => {
  await expect(planned(request)).rejects.toMatchObject(expected);
});
