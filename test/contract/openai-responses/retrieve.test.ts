/** Retrieving and deleting a stored response with the official SDK. */
import { NotFoundError } from 'openai';
import { describe, expect, test } from 'vitest';
import { hasOpenAiSchema, openAiSchema } from '../../harness/openai-schema.ts';
import { sampleResponse } from '../../harness/responses/sample-response.ts';
import { useStoredResponses } from '../../harness/responses/stored-responses.ts';

const { client, store, ask } = useStoredResponses();

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
    ['stream', 'stream=true'],
    ['stream', 'stream=false&stream=true'],
    ['starting_after', 'starting_after=3'],
  ])('rejects a wrong %s by name: %s', async (param, query) => {
    const { status, text } = await ask(`${await store()}?${query}`);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { type: 'invalid_request_error', param } });
  });

  test('rejects streaming', async () => {
    const id = await store();
    const error = await client()
      .responses.retrieve(id, { stream: true })
      .then(() => undefined, String);
    expect(error).toContain('cannot be streamed');
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
