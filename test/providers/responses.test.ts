/** What is sent to providers with their own Responses protocol, and what the caller gets as changes. */
import { describe, expect, test } from 'vitest';
import type { Traits } from '../../lib/core/catalog/model.ts';
import type { GenerationRequest, ReasoningDetail } from '../../lib/core/generation/request.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { assistant, user } from '../protocols/requests.ts';

const names = ['openai', 'azure', 'xai'] as const;
type Name = (typeof names)[number];

const reasoning = { style: 'effort', efforts: ['minimal', 'low', 'high'], defaultEffort: 'low' } as const;

function responsesOf(name: Name) {
  const generation = providers.get(name)?.responses;
  if (!generation) throw new Error(`${name} has no Responses protocol.`);
  return generation;
}

/** The request as the provider gets it, and what was changed. */
function send(name: Name, request: GenerationRequest, traits: Partial<Traits> = {}) {
  const target = testTarget({ traits: { refuses: [], refusesWhileReasoning: [], ...traits } });
  const { protocol, rules } = responsesOf(name);
  const normalized = normalize(request, target, rules);
  const changes = normalized.changes.map(({ param, action, after }) => [param, action, after]);
  return { body: protocol.encode(normalized.request, target), changes };
}

const ask = (name: Name, parameters: GenerationRequest['parameters'], traits: Partial<Traits> = {}) =>
  send(name, testRequest(parameters), traits);

describe.each(names)('%s', (name) => {
  test.each([
    ['stop', ['END']],
    ['seed', 7],
    ['n', 2],
    ['frequency_penalty', 0.5],
    ['presence_penalty', 0.5],
    ['logit_bias', { 1: 1 }],
    ['store', true],
    ['metadata', { team: 'blue' }],
  ])('does not support %s in this protocol, which is reported', (param, value) => {
    const { body, changes } = ask(name, { [param]: value });
    expect(changes).toEqual([[param, 'strip', null]]);
    expect(body).toEqual(ask(name, {}).body);
  });

  test('takes tools while it reasons', () => {
    const request = testRequest({ reasoning_effort: 'high' }, { tools: [{ name: 'now' }] });
    const { body, changes } = send(name, request, { reasoning, toolsWhileReasoning: false });
    expect(body).toMatchObject({ reasoning: { effort: 'high' }, tools: [{ name: 'now' }] });
    expect(changes).toEqual([]);
  });

  test('gets the nearest effort, and no summary is asked of a model that does not reason', () => {
    const asked = { reasoning_effort: 'medium', reasoning_summary: 'auto' } as const;
    expect(ask(name, asked, { reasoning }).body).toMatchObject({
      reasoning: { effort: 'low', summary: 'auto' },
    });
    const { body, changes } = ask(name, asked);
    expect(body).not.toHaveProperty('reasoning');
    expect(changes).toEqual([
      ['reasoning_effort', 'strip', null],
      ['reasoning_summary', 'strip', null],
    ]);
  });

  test('gets back only the reasoning that its own account encrypted', () => {
    const others = names.filter((other) => other !== name);
    const details = [name, ...others].map(
      (maker, index): ReasoningDetail => ({
        type: 'reasoning.encrypted',
        data: maker,
        format: `${maker}-responses-v1`,
        index,
        id: `rs_${index}`,
      }),
    );
    const unencrypted: ReasoningDetail = {
      type: 'reasoning.summary',
      summary: 'So.',
      format: `${name}-responses-v1`,
      index: 4,
      id: 'rs_4',
    };
    const content = [{ type: 'text', text: 'Hi' }] as const;
    const messages = [
      user('Hello'),
      assistant('', { content, reasoningDetails: [...details, unencrypted] }),
      user('And?'),
    ];
    const { body, changes } = send(name, testRequest({}, { messages }), { reasoning });
    const items = (body.input as { type: string }[]).filter(({ type }) => type === 'reasoning');
    expect(items).toEqual([{ type: 'reasoning', id: 'rs_0', summary: [], encrypted_content: name }]);
    expect(changes.map(([param, action]) => [param, action])).toEqual([
      ['messages.1.reasoning_details', 'override'],
      ['messages.1.reasoning_details', 'override'],
    ]);
  });

  test('gets no names of participants', () => {
    const messages = [{ ...user('Hello'), name: 'ann' }];
    const { body, changes } = send(name, testRequest({}, { messages }));
    expect(body.input).toEqual([{ type: 'message', role: 'user', content: 'Hello' }]);
    expect(changes).toEqual([['messages.0.name', 'strip', null]]);
  });

  test('gets a schema in the form that it takes', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema, strict: true } } as const;
    const { body } = ask(name, { response_format: format }, { structuredOutput: 'schema' });
    const sent = body.text as { format: { schema: object } };
    if (name === 'xai') expect(sent.format.schema).toEqual(schema);
    else expect(sent.format.schema).toMatchObject({ required: ['a'], additionalProperties: false });
  });
});

describe.each(['openai', 'azure'] as const)('%s as a platform', (name) => {
  test.each(['max_completion_tokens', 'max_tokens'] as const)('takes no %s below 16', (param) => {
    const { body, changes } = ask(name, { [param]: 5 });
    expect(body.max_output_tokens).toBe(16);
    expect(changes).toEqual([[param, 'override', 16]]);
    expect(ask(name, { [param]: 16 }).changes).toEqual([]);
  });

  test('takes one temperature for models that fix it', () => {
    const { body } = ask(name, { temperature: 0.5 }, { reasoning, refuses: ['temperature'] });
    expect(body.temperature).toBe(1);
  });

  test('reasons enough to search', () => {
    const webSearch = { position: 0, type: 'web_search' };
    const request = testRequest({ reasoning_effort: 'minimal' }, { webSearch });
    expect(send(name, request, { reasoning }).body.reasoning).toEqual({ effort: 'low' });
    expect(ask(name, { reasoning_effort: 'minimal' }, { reasoning }).changes).toEqual([]);
  });
});

describe('xai', () => {
  test.each([
    ['service_tier', 'flex'],
    ['verbosity', 'low'],
    ['max_tool_calls', 2],
    ['safety_identifier', 'x'],
  ])('has no %s', (param, value) => {
    const webSearch = { position: 0, type: 'web_search' };
    const { changes } = send('xai', testRequest({ [param]: value }, { webSearch }));
    expect(changes).toEqual([[param, 'strip', null]]);
  });

  test('gets of a search what it takes', () => {
    const webSearch = {
      position: 0,
      type: 'web_search_preview',
      contextSize: 'low',
      userLocation: { country: 'IT' },
      allowedDomains: ['one.example'],
    } as const;
    const { body, changes } = send('xai', testRequest({}, { webSearch }), { reasoning });
    expect(body).toMatchObject({
      tools: [{ type: 'web_search', filters: { allowed_domains: ['one.example'] } }],
      include: ['reasoning.encrypted_content'],
    });
    expect(body.tools).not.toMatchObject([{ search_context_size: 'low' }]);
    expect(changes.map(([param]) => param)).toEqual(['tools.0.search_context_size', 'tools.0.user_location']);
  });

  test('names at most eight candidates for a token', () => {
    const { body } = ask('xai', { logprobs: true, top_logprobs: 20 });
    expect(body).toMatchObject({ logprobs: true, top_logprobs: 8 });
  });
});

test('searches that are over go back to OpenAI alone', () => {
  const webSearches = [{ id: 'ws_1', action: { type: 'search', query: 'q' } }];
  const messages = [user('Hello'), assistant('Hi', { webSearches }), user('And?')];
  const typesTo = (name: Name) =>
    (send(name, testRequest({}, { messages })).body.input as { type: string }[]).map(({ type }) => type);
  expect(typesTo('openai')).toContain('web_search_call');
  expect(typesTo('azure')).not.toContain('web_search_call');
  expect(typesTo('xai')).not.toContain('web_search_call');
  expect(names.filter((name) => responsesOf(name).searchesWeb)).toEqual(['openai', 'xai']);
});
