/** Which models and operations a list of permissions allows. */
import { describe, expect, test } from 'vitest';
import { allowsModel, allowsOperation, isModelPattern } from '../../lib/core/tenancy.ts';

describe('models', () => {
  test.each([
    [undefined, 'openai/gpt-5.5', true],
    [[], 'openai/gpt-5.5', false],
    [['openai/gpt-5.5'], 'openai/gpt-5.5', true],
    [['openai/gpt-5.5'], 'openai/gpt-5.5-pro', false],
    [['openai/*'], 'openai/gpt-5.5', true],
    [['openai/*'], 'openai/gpt-oss/120b', true],
    [['openai/*'], 'openai-labs/gpt', false],
    [['open/*'], 'openai/gpt-5.5', false],
    [['anthropic/*', 'openai/gpt-5.5'], 'openai/gpt-5.5', true],
    [['*'], 'openai/gpt-5.5', false],
  ])('%j and %s: %s', (models, id, allowed) => {
    expect(allowsModel({ ...(models && { models }) }, id)).toBe(allowed);
  });

  test.each(['openai/gpt-5.5', 'openai/*', 'qwen/qwen3-8b:free', 'a/b/c'])(
    '%s may stand in a list',
    (text) => {
      expect(isModelPattern(text)).toBe(true);
    },
  );

  test.each(['', '*', '*/*', 'openai', 'openai/', '/gpt', 'openai/gpt-*', 'open*/gpt', 'a b/c', 'a/b c'])(
    '%j may not',
    (text) => {
      expect(isModelPattern(text)).toBe(false);
    },
  );
});

test('no list of operations allows all of them, and an empty one none', () => {
  expect(allowsOperation({}, 'embeddings')).toBe(true);
  expect(allowsOperation({ operations: [] }, 'embeddings')).toBe(false);
  expect(allowsOperation({ operations: ['embeddings'] }, 'embeddings')).toBe(true);
  expect(allowsOperation({ operations: ['embeddings'] }, 'responses')).toBe(false);
});
