/** Moderation by calls of the gateway: what its failure means for the request, and for the target that was not even called. */

import { expect, test } from 'vitest';
import type { Call } from '../../lib/core/endpoint.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type { ModelTask } from '../../lib/pipeline/model-task.ts';
import { inlineModeration } from '../../lib/pipeline/moderation/inline.ts';
import { inputsOf } from '../../lib/pipeline/moderation/inputs.ts';
import type { PipelineParts } from '../../lib/pipeline/parts.ts';
import { runTargets } from '../../lib/pipeline/run-targets.ts';
import { openaiModerations } from '../../lib/protocols/openai-moderations.ts';
import type { Provider } from '../../lib/providers/provider.ts';
import { connectionsBy } from '../harness/connections.ts';
import { testModel, testRequest } from '../harness/matrix/model.ts';
import { noNames } from '../harness/no-names.ts';

const provider: Provider = {
  name: 'acme',
  isConfigured: () => true,
  baseUrl: () => 'https://acme.example',
  authorize: (request) => request,
  moderations: { protocol: openaiModerations },
};

const free = testModel({
  id: 'acme/moderation',
  endpoints: ['moderations'],
  prices: [{ from: 0, price: { input: 0, cachedInput: 0, cacheWrite: 0, output: 0 } }],
});
const models = [testModel({ id: 'acme/one' }), testModel({ id: 'acme/two' }), free];

/** `send`: the model of moderation. */
async function run(
  send: PipelineParts['connections']['send'],
  more: { readonly dryRun?: boolean; readonly model?: string } = {},
) {
  const failed: string[] = [];
  const called: string[] = [];
  const parts: PipelineParts = {
    catalog: {
      find: async (id) => models.find((model) => model.id === id),
      list: async () => models,
      ...noNames,
    },
    providers: { load: async () => provider, loadBuiltIn: async () => provider, get: () => provider },
    connections: connectionsBy(send),
    health: { failed: ({ model }) => failed.push(model.id), succeeded: () => {}, isFailing: () => false },
    now: Date.now,
  };
  const call: Call<unknown> = {
    input: undefined,
    requestId: 'request-1',
    signal: new AbortController().signal,
    remainingMs: () => 60_000,
    facts: { attempts: [] },
    admit: async () => {},
    begin: () => {},
  };
  const { model = free.id, dryRun = false } = more;
  const moderation = { model, policy: { input: { mode: 'block' } } };
  const request = testRequest({ moderation });
  const asked = { model: 'acme/one', fallbacks: ['acme/two'], normalize: true, request, leftOut: [], dryRun };
  const task: ModelTask<{ readonly request: typeof request; readonly id: string }, string> = {
    endpoint: 'chat_completions',
    ...asked,
    needs: [],
    canServe: () => true,
    inputTokens: () => 9,
    maxTokens: () => ({ input: 0, output: 0 }),
    firstOutputMs: () => undefined,
    prepare: ({ model: { id } }) => ({ id, request: testRequest() }),
    async call({ id }) {
      called.push(id);
      return id;
    },
  };
  const thrown = await runTargets(parts, inlineModeration(parts, asked, call).before(task), call).catch(
    (error: unknown) => error,
  );
  const kind = thrown instanceof GatewayError ? thrown.kind : undefined;
  return { kind, failed, called };
}

const flagging = { flagged: true, categories: {}, category_scores: {} };

test.each([
  ['fails', 500, { error: { message: 'No.' } }, 'guardrail_unavailable'],
  ['flags the input', 200, { results: [flagging] }, 'guardrail_blocked'],
])('where it %s, no target is called, and none has failed', async (_, status, body, kind) => {
  let sent = 0;
  const ran = await run(async () => {
    sent += 1;
    async function* bytes() {
      yield Buffer.from(JSON.stringify(body));
    }
    return { status, headers: { 'content-type': 'application/json' }, body: bytes() };
  });
  expect(ran).toEqual({ kind, failed: [], called: [] });
  expect(sent).toBe(1);
});

test('a dry run calls it not, and refuses what is no model of moderation', async () => {
  const send = () => Promise.reject(new Error('Nothing is sent.'));
  expect(await run(send, { dryRun: true })).toEqual({ kind: undefined, failed: [], called: ['acme/one'] });
  expect(await run(send, { dryRun: true, model: 'acme/one' })).toMatchObject({
    kind: 'unsupported_operation',
    called: [],
  });
});

test('an answer that the caller has begun hides nothing of what it was begun for', () => {
  const said = (role: 'user' | 'assistant', text: string) => ({
    role,
    content: [{ type: 'text' as const, text }],
    ...(role === 'assistant' && { toolCalls: [] }),
  });
  const turns = [
    said('user', 'one'),
    said('assistant', 'two'),
    said('user', 'three'),
    said('assistant', 'four'),
  ];
  const request = testRequest({}, { messages: turns as never });
  expect(inputsOf(request)).toEqual([{ input: ['three\nfour'] }]);
});
