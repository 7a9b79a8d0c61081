/**
 * The engine that runs a bundle under the real Lambda runtime client, tested with a small handler.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newDirectory } from '../new-directory.ts';
import { type LambdaEngine, startLambdaEngine } from './engine.ts';

const source = `
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const handler = awslambda.streamifyResponse(async (event, stream, context) => {
  if (event.fail === 'before') throw new Error('before');
  stream = awslambda.HttpResponseStream.from(stream, { statusCode: 201, headers: { 'x-greeting': process.env.GREETING } });
  stream.write('');
  for (let index = 0; index < 3; index++) {
    await pause(200);
    stream.write('part ' + index + ';');
  }
  if (event.fail === 'after') throw new Error('after');
  stream.end();
});
`;

describe('a bundle under the Lambda runtime client', () => {
  let engine: LambdaEngine;
  const directory = newDirectory();

  beforeAll(async () => {
    const bundle = join(directory, 'index.mjs');
    await writeFile(bundle, source);
    engine = await startLambdaEngine({ bundle, environment: { GREETING: 'hello' } });
  });

  afterAll(async () => {
    await engine.close();
  });

  async function collect(event: object) {
    const answer = await engine.invoke(event);
    const chunks = await Array.fromAsync(answer.chunks);
    return { answer, chunks, text: Buffer.concat(chunks.map(({ data }) => data)).toString() };
  }

  test('gives status and headers in the prelude, byte for byte', async () => {
    const { answer } = await collect({});
    expect(answer.preludeBytes.toString()).toBe('{"statusCode":201,"headers":{"x-greeting":"hello"}}');
    expect(answer.prelude).toEqual({ statusCode: 201, headers: { 'x-greeting': 'hello' } });
  });

  test('delivers each part when it is written', async () => {
    const { chunks, text } = await collect({});
    expect(text).toBe('part 0;part 1;part 2;');
    expect(chunks).toHaveLength(3);
    expect((chunks[2]?.at ?? 0) - (chunks[0]?.at ?? 0)).toBeGreaterThan(100);
  });

  test('outlives a handler that fails, before its answer and in the middle of it', async () => {
    const before = await collect({ fail: 'before' });
    expect(before.answer.prelude).toBeUndefined();
    expect(before.answer.trailers()).toHaveProperty('lambda-runtime-function-error-type', 'Error');
    const after = await collect({ fail: 'after' });
    expect(after.text).toBe('part 0;part 1;part 2;');
    expect(after.answer.trailers()).toHaveProperty('lambda-runtime-function-error-type', 'Error');
    const { text } = await collect({});
    expect(text).toBe('part 0;part 1;part 2;');
    expect(engine.alive()).toBe(true);
  });

  test('reports when the process dies', async () => {
    const bundle = join(directory, 'dies.mjs');
    await writeFile(
      bundle,
      'export const handler = awslambda.streamifyResponse(async () => process.exit(3));',
    );
    const dying = await startLambdaEngine({ bundle, environment: {} });
    await expect(dying.invoke({})).rejects.toThrow('ended');
    await expect(dying.invoke({})).rejects.toThrow('ended');
    expect(dying.alive()).toBe(false);
    await dying.close();
  });
});
