/** The caller's path of an object is copied with the object, and never leaves the gateway. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import { callerPath, withCallerPath } from '../../../lib/core/generation/caller-path.ts';
import {
  pathOf,
  renamePath,
  type Source,
  source,
  wholeSource,
} from '../../../lib/core/generation/original/source.ts';
import type { TextPart, ToolCall } from '../../../lib/core/generation/request.ts';
import { findMarkers } from '../../../lib/normalization/caching.ts';
import { charactersOf } from '../../../lib/normalization/conversation/truncation.ts';
import { normalize } from '../../../lib/normalization/normalize.ts';
import { encodeReasoning } from '../../../lib/operations/responses/write/encrypted-content.ts';
import { maxTokensOf } from '../../../lib/pipeline/generation/bounds/token-bounds.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import { fromChat } from '../../harness/matrix/sources.ts';
import { assistant, call, newRequest, newTarget, tool, user, weatherTool } from '../../protocols/requests.ts';

const from: Source = { path: 'a.1', fields: { id: 'call_id' }, elsewhere: { name: 'b.2.name' } };
const sourced: ToolCall = { id: 'x', name: 'f', arguments: '{}', [source]: from };

describe('the path of an object', () => {
  test('is where it is, and its fields are below it or elsewhere', () => {
    expect(pathOf(sourced)).toBe('a.1');
    expect(pathOf(sourced, 'id')).toBe('a.1.call_id');
    expect(pathOf(sourced, 'name')).toBe('b.2.name');
    expect(pathOf(sourced, 'arguments')).toBe('a.1');
  });

  test('of a text without fields is that of each field', () => {
    const part: TextPart = { type: 'text', text: 'Hi.', [source]: wholeSource('input') };
    expect([pathOf(part), pathOf(part, 'text')]).toEqual(['input', 'input']);
  });

  test('stays with a changed copy, and is no part of JSON', () => {
    const { name: _, ...rest } = { ...sourced, id: 'y' };
    expect(pathOf(rest)).toBe('a.1');
    expect(JSON.stringify(rest)).toBe('{"id":"y","arguments":"{}"}');
  });

  test('of what the gateway added says so', () => {
    const added: TextPart = { type: 'text', text: 'Hi.' };
    expect(pathOf(added)).toBe('gateway');
  });
});

test('a path is renamed by the longest name that begins it', () => {
  const names = { 'a.b': 'x', a: 'y', 'a.b.c': 'z.z' };
  const renamed = ['a', 'a.c', 'a.b', 'a.b.d', 'a.b.c.d', 'ab', 'constructor', ''].map((path) =>
    renamePath(path, names),
  );
  expect(renamed).toEqual(['y', 'y.c', 'x', 'x.d', 'z.z.d', 'ab', 'constructor', '']);
});

describe('an upstream error', () => {
  const request = fromChat(newRequest([user('One'), user('Two')]));
  const moved = { ...request, messages: request.messages.toReversed() };
  const error = new GatewayError('upstream_bad_request', 'No.', { upstreamParam: 'messages[0].content' });

  test('has the caller’s path of the field that it names, once and for all', () => {
    const named = withCallerPath(error, moved);
    expect(named).toMatchObject({ param: 'messages.1.content', message: 'No.' });
    expect(withCallerPath(named, moved)).toMatchObject({ param: 'messages.1.content' });
  });

  test('that names no field stays as it is, as does any other error', () => {
    const others = [
      new GatewayError('upstream_bad_request', 'No.'),
      new GatewayError('invalid_request', 'No.', { param: 'messages.0.content' }),
      new Error('Broken.'),
    ];
    for (const other of others) expect(withCallerPath(other, moved)).toBe(other);
  });

  test('of a request without messages is one of a parameter', () => {
    expect(callerPath({ parameterPaths: { texts: 'input' } }, 'texts')).toBe('input');
    expect(callerPath({}, 'size')).toBe('size');
  });
});

describe('the caller’s paths', () => {
  const conversation = [
    user('What is the weather?'),
    assistant('', {
      toolCalls: [call('call_1', 'get_weather', '{"city":"Oslo"}')],
      reasoningDetails: [{ type: 'reasoning.encrypted', data: 'x', format: 'x', index: 0 }],
    }),
    tool('call_1', 'Rain'),
    { ...user('And now?'), cacheControl: { type: 'ephemeral' } as const },
  ];
  const plain = { messages: conversation, tools: [weatherTool], parameters: {}, stream: false };
  const request = fromChat(plain);
  const target = newTarget({ toolChoices: ['auto', 'named', 'required', 'none'] });
  const generations = [...providers.values()].flatMap(({ name, generation, responses }) =>
    [generation, responses].flatMap((one, index) => (one ? [[`${name} ${index}`, one] as const] : [])),
  );

  test.each(generations)('are not sent to %s', (_, { protocol, rules }) => {
    const { request: ready } = normalize(request, target, rules);
    const body = JSON.stringify(protocol.encode(ready, target));
    expect(body).toContain('Oslo');
    expect(body).not.toMatch(/messages\.\d|tools\.\d|tool_calls\.\d/);
    expect(body).toBe(JSON.stringify(protocol.encode(normalize(plain, target, rules).request, target)));
  });

  test('count for nothing, neither in characters nor in tokens', () => {
    expect(charactersOf(request)).toBe(charactersOf(plain));
    expect(maxTokensOf(request, target)).toEqual(maxTokensOf(plain, target));
  });

  test('are in no encrypted reasoning, and each marker has its own', () => {
    const details = request.messages.flatMap((message) =>
      message.role === 'assistant' ? message.reasoningDetails : [],
    );
    expect(Buffer.from(encodeReasoning(details).slice('mgw1_'.length), 'base64url').toString()).not.toContain(
      'messages.',
    );
    expect(findMarkers(request).map(({ item }) => pathOf(item, 'cacheControl'))).toEqual([
      'messages.3.cache_control',
    ]);
  });
});
