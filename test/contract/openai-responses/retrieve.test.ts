/** Retrieving and deleting a stored response with the official SDK. */
import { NotFoundError } from 'openai';
import { describe, expect, test } from 'vitest';
import type { StoredResponse } from '../../../lib/core/stored-response.ts';
import { hasOpenAiSchema, openAiSchema } from '../../harness/openai-schema.ts';
import { readResponseStream, responseEventsOf } from '../../harness/responses/response-stream.ts';
import { sampleResponse } from '../../harness/responses/sample-response.ts';
import { useStoredResponses } from '../../harness/responses/stored-responses.ts';

const { client, store, ask } = useStoredResponses();

/** The sample, with item ids as the gateway makes them. */
function withWholeIds(id: string): StoredResponse {
  const text = JSON.stringify(sampleResponse(id));
  const whole = (_: string, prefix: string, index: string) =>
    `"${prefix}_${id.slice('resp_'.length)}o${index}"`;
  return JSON.parse(text.replace(/"(rs|ws|msg)_(\d)"/g, whole));
}

describe('retrieve', () => {
  test('returns the response unchanged', async () => {
    const id = await store();
    const response = await client().responses.retrieve(id);
    expect(response).toMatchObject({ id, object: 'response', metadata: { topic: 'weather' } });
    expect(response.output_text).toBe('Sunny.');
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'web_search_call', 'message']);
  });

  test('shows encrypted content and the sources of a search only on request', async () => {
    const id = await store();
    const plain = JSON.stringify(await client().responses.retrieve(id));
    expect(plain).toContain('Thinking.');
    expect(plain).not.toMatch(/encrypted_content|sources/);
    const both = ['reasoning.encrypted_content', 'web_search_call.action.sources'] as const;
    const { output } = await client().responses.retrieve(id, { include: [...both] });
    expect(output).toEqual(sampleResponse(id).response.output);
    const one = await client().responses.retrieve(id, { include: [both[0]] });
    expect(JSON.stringify(one)).toMatch(/encrypted_content/);
    expect(JSON.stringify(one)).not.toMatch(/sources/);
  });

  test.each([
    'include=reasoning.encrypted_content',
    'include[]=reasoning.encrypted_content',
    'include=web_search_call.action.sources&include=reasoning.encrypted_content',
    'include=reasoning.encrypted_content&include_obfuscation=false&stream=false',
  ])('accepts the query %s', async (query) => {
    const { status, text } = await ask(`${await store()}?${query}`);
    expect(status).toBe(200);
    expect(text).toContain('encrypted_content');
  });

  test.each([
    ['include', 'include=everything'],
    ['include.1', 'include=message.output_text.logprobs&include=everything'],
    ['include.0', 'include[]='],
    ['stream', 'stream=yes'],
    ['stream', 'stream=false&stream=true'],
    ['starting_after', 'starting_after=3'],
    ['starting_after', 'stream=true&starting_after=-1'],
    ['starting_after', 'stream=true&starting_after=x'],
  ])('rejects a wrong %s by name: %s', async (param, query) => {
    const { status, text } = await ask(`${await store()}?${query}`);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { type: 'invalid_request_error', param } });
  });

  test('replays the response as a stream by the same grammar', async () => {
    const id = await store({ make: withWholeIds });
    const include = 'include=reasoning.encrypted_content&include=web_search_call.action.sources';
    const whole = JSON.parse((await ask(`${id}?${include}`)).text);
    const { headers, text } = await ask(`${id}?${include}&stream=true`);
    expect(headers.get('content-type')).toContain('text/event-stream');
    const { events, response, error } = readResponseStream(text);
    expect([response, error]).toEqual([whole, undefined]);
    const later = responseEventsOf((await ask(`${id}?${include}&stream=true&starting_after=3`)).text);
    expect(later).toEqual(events.slice(4));
  });

  test('is read as a stream by the SDK', async () => {
    const id = await store();
    const stream = await client().responses.retrieve(id, { stream: true });
    let text = '';
    for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta;
    expect(text).toBe('Sunny.');
  });

  test.skipIf(!hasOpenAiSchema)('satisfies the public schema', async () => {
    const { text } = await ask(await store());
    expect(openAiSchema('Response')(JSON.parse(text))).toEqual([]);
  });
});

describe('delete', () => {
  test('is permanent', async () => {
    const id = await store();
    await client().responses.delete(id);
    await expect(client().responses.retrieve(id)).rejects.toBeInstanceOf(NotFoundError);
    await expect(client().responses.inputItems.list(id)).rejects.toBeInstanceOf(NotFoundError);
    await expect(client().responses.delete(id)).rejects.toBeInstanceOf(NotFoundError);
  });

  test('returns the deleted id', async () => {
    const id = await store();
    const { status, text } = await ask(id, { method: 'DELETE' });
    expect([status, JSON.parse(text)]).toEqual([200, { id, object: 'response', deleted: true }]);
  });
});
