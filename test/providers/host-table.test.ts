/**
 * The host table holds together: what the gateway sends to each host is what the host's sandbox takes, parameter by
 * parameter, so that neither list can gain or lose an entry alone.
 */
import { describe, expect, test } from 'vitest';
import { seedRows } from '../../infra/catalog/seed.ts';
import type { Model, Target } from '../../lib/core/catalog/model.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  JsonObject,
  Message,
} from '../../lib/core/generation/request.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { type HostName, hostNames, hosts } from '../../lib/providers/hosts/hosts.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { Refusal } from '../../sandbox/exchange.ts';
import { platformFields } from '../../sandbox/openai/behaviour.ts';
import { compatibleRoutes } from '../../sandbox/openai/hosts.ts';
import { hostModels } from '../harness/matrix/host-models.ts';
import { testRequest } from '../harness/matrix/model.ts';
import { sampleParameters } from '../harness/matrix/sample-parameters.ts';

/** Parameters that take another form at many hosts, or are refused where they are not taken. */
const otherForms: readonly string[] = [
  'tool_choice',
  'response_format',
  'reasoning_effort',
  'reasoning_max_tokens',
  'moderation',
];

const samples = Object.fromEntries(
  Object.entries(sampleParameters).filter(([name]) => !otherForms.includes(name)),
);

const tool = { name: 'f', parameters: { type: 'object', properties: {} } };
const named: Message = { role: 'user', name: 'Ann', content: [{ type: 'text', text: 'Hello' }] };

function targetsOf(host: HostName): readonly Target[] {
  const called = hostModels[host];
  // Where no model is served any more, those that were.
  const isTested = ({ id, deployments }: Model) =>
    called
      ? id === called.model || id === called.reasoning
      : deployments.some(({ provider }) => provider === host);
  const rows = seedRows.map((row) => readModelRow(row)).filter(isTested);
  return rows.map((row) => {
    const own = { provider: host, region: 'global', upstreamId: row.id.split('/')[1] ?? '' };
    const deployment = row.deployments.find(({ provider }) => provider === host) ?? own;
    return { model: row, deployment };
  });
}

/** The body that reaches the host; undefined where the gateway refuses the request. */
function bodyFor(
  host: HostName,
  target: Target,
  parameters: GenerationParameters,
  changes: Partial<GenerationRequest> = {},
) {
  const generation = providers.get(host)?.generation;
  if (!generation) throw new Error(`There is no provider ${host}.`);
  const takesTools = target.model.traits.toolChoices?.length !== 0;
  const request = testRequest(parameters, { tools: takesTools ? [tool] : [], ...changes });
  try {
    return generation.protocol.encode(normalize(request, target, generation.rules).request, target);
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'invalid_request') return undefined;
    throw error;
  }
}

/** What the gateway sends of the fields that a caller can set. */
function sentTo(host: HostName, target: Target): readonly string[] {
  const set = Object.entries(samples).filter(([name, value]) => {
    const besides = name === 'top_logprobs' ? { logprobs: true } : {};
    return name in (bodyFor(host, target, { ...besides, [name]: value }) ?? {});
  });
  const messages = (bodyFor(host, target, {}, { messages: [named] })?.messages ??
    []) as readonly JsonObject[];
  const others = {
    name: messages.some((message) => 'name' in message),
    tools: bodyFor(host, target, {}, { tools: [tool] }) !== undefined,
    stream_options: 'stream_options' in (bodyFor(host, target, {}, { stream: true }) ?? {}),
  };
  const sent = Object.entries(others).filter(([, isSent]) => isSent);
  return [...set, ...sent].map(([name]) => name);
}

const otherFields = ['name', 'tools', 'stream_options'];

function takenBy(host: HostName): readonly string[] {
  const { refuses = [], ignores = [], takes = [] } = hosts[host].sandbox;
  const foreign = platformFields.filter((name) => !takes.includes(name));
  const without = [...refuses, ...ignores, ...foreign];
  return [...Object.keys(samples), ...otherFields].filter((name) => !without.includes(name));
}

const rows = hostNames.flatMap((host) =>
  targetsOf(host).map((target) => ({ host, target, id: target.model.id })),
);

test('there is a row for every host and each of its test models', () => {
  expect(new Set(rows.map(({ host }) => host))).toEqual(new Set(hostNames));
});

describe.each(rows)('$host, $id', ({ host, target }) => {
  test('is sent what its sandbox takes, and nothing that its sandbox refuses or ignores', () => {
    const [sent, taken] = [sentTo(host, target), takenBy(host)];
    // Such models ignore these while they reason.
    const refused = (name: string) => target.model.traits.refusesWhileReasoning.some((one) => one === name);
    expect({
      'sent, but refused or ignored by the sandbox': sent.filter((name) => !taken.includes(name)),
      'taken by the sandbox, but never sent': taken.filter((name) => !sent.includes(name) && !refused(name)),
    }).toEqual({
      'sent, but refused or ignored by the sandbox': [],
      'taken by the sandbox, but never sent': [],
    });
  });
});

describe.each(hostNames)('the sandbox of %s', (host) => {
  const route = compatibleRoutes.find(({ provider }) => provider === host);
  const [target] = targetsOf(host);
  const ask = (fields: object) => {
    if (!route || !target) throw new Error(`There is no sandbox for ${host}.`);
    const body = { ...bodyFor(host, target, {}), ...fields };
    const headers = { authorization: 'Bearer sk-example' };
    const request = { provider: host, method: 'POST', path: '/chat/completions', headers, body };
    return route.handle({ ...request, query: new URLSearchParams() });
  };
  const { refuses = [], takes = [], refusesPlatformFields, maxTemperature } = hosts[host].sandbox;
  const values: Readonly<Record<string, unknown>> = { ...samples, reasoning_effort: 'low' };

  test('refuses each field that its row names', () => {
    const named = [...refuses, ...(refusesPlatformFields ? platformFields : [])].filter(
      (name) => !takes.includes(name),
    );
    for (const name of named.filter((one) => one in values)) {
      const besides = name === 'top_logprobs' ? { logprobs: true } : {};
      expect(() => ask({ ...besides, [name]: values[name] }), name).toThrow(Refusal);
    }
    const messages = [{ role: 'user', content: 'Hello', name: 'Ann' }];
    if (refuses.includes('name')) expect(() => ask({ messages })).toThrow(Refusal);
    else expect(ask({ messages }).status).toBe(200);
  });

  test('refuses what a test of the contract expects it to refuse', () => {
    const called = hostModels[host];
    const refused = called?.refused;
    if (refused) expect(() => ask(refused)).toThrow(Refusal);
  });

  test('takes what the gateway sends, up to the highest temperature', () => {
    expect(ask({}).status).toBe(200);
    expect(hosts[host].maxTemperature).toBe(maxTemperature);
    if (maxTemperature !== undefined) {
      expect(() => ask({ temperature: maxTemperature + 0.1 })).toThrow(Refusal);
      const body = target && bodyFor(host, target, { temperature: maxTemperature + 0.5 });
      expect(body?.temperature).toBe(maxTemperature);
    }
  });
});
