/** The error for a model that is not served, and the ids that it suggests. */
import { describe, expect, test } from 'vitest';
import type { Model } from '../../lib/core/catalog/model.ts';
import { nearest } from '../../lib/core/names/closest-name.ts';
import type { Catalog } from '../../lib/core/ports/catalog.ts';
import { modelNotFound } from '../../lib/routing/model-not-found.ts';
import { testTarget } from '../harness/matrix/model.ts';
import { noNames } from '../harness/no-names.ts';

const ids = ['openai/gpt-5.5', 'openai/gpt-5.5-mini', 'anthropic/claude-opus-5', 'mistral/medium'];

describe('the nearest ids', () => {
  test.each([
    ['gpt-5.5', ['openai/gpt-5.5']],
    ['OPENAI/GPT-5.5', ['openai/gpt-5.5']],
    ['openai/gpt-5.4', ['openai/gpt-5.5']],
    ['claude-opus-4', ['anthropic/claude-opus-5']],
    ['gpt-5.5-min', ['openai/gpt-5.5-mini']],
    ['medum', ['mistral/medium']],
    ['edums', []],
    ['something-else-entirely', []],
  ])('of %s are %j', (asked, expected) => {
    expect(nearest(asked, ids)).toEqual(expected);
  });

  test('differ in a quarter of the letters at most, in two in any case', () => {
    expect(nearest('abcdefghijkl', ['m/abcdefghixyz'])).toHaveLength(1);
    expect(nearest('abcdefghijkl', ['m/abcdefghwxyz'])).toHaveLength(0);
    expect(nearest('abcd', ['m/abxy'])).toHaveLength(1);
    expect(nearest('abcd', ['m/axyz'])).toHaveLength(0);
  });

  test('are three at most, the nearest first, then by name', () => {
    const near = ['m/abcd-xx', 'm/abcd-2x', 'm/abcd-b', 'm/abcd-a', 'm/abcd'];
    expect(nearest('abcd', near)).toEqual(['m/abcd', 'm/abcd-a', 'm/abcd-b']);
  });

  test('are looked for by the first hundred letters', () => {
    expect(nearest('a'.repeat(300), [`m/${'a'.repeat(100)}`])).toHaveLength(1);
  });
});

const modelOf = (id: string, more: Partial<Model> = {}): Model => ({ ...testTarget().model, id, ...more });

const catalogOf = (...models: readonly Model[]): Catalog => ({
  find: async (id) => models.find((model) => model.id === id),
  list: async () => models,
  ...noNames,
});

describe('the error', () => {
  test.each([
    ['model', 'model_not_found', 404],
    ['extra.fallbacks.0', 'invalid_request', 400],
  ])('for the parameter %s is %s', async (param, kind, status) => {
    const error = await modelNotFound(catalogOf(), 'a/b', undefined, param);
    expect(error).toMatchObject({ kind, status, param, code: 'model_not_found' });
  });

  test('suggests ids of models that are served', async () => {
    const catalog = catalogOf(
      modelOf('m/near-a', { status: 'active' }),
      modelOf('m/near-b', { status: 'deprecated' }),
      modelOf('m/near-c', { status: 'inactive' }),
      modelOf('m/near-d', { status: 'retired' }),
    );
    const { message } = await modelNotFound(catalog, 'm/near-x', undefined, 'model');
    expect(message).toContain("Did you mean 'm/near-a' or 'm/near-b'?");
  });

  test('suggests nothing where nothing is near', async () => {
    const { message } = await modelNotFound(catalogOf(modelOf('m/other')), 'unlike', undefined, 'model');
    expect(message).not.toContain('Did you mean');
  });

  test('names the replacement of a model that is no longer served', async () => {
    const retired = modelOf('m/old', { status: 'retired', replacement: 'm/new' });
    const { message } = await modelNotFound(catalogOf(), 'm/old', retired, 'model');
    expect(message).toMatch(/'m\/old' is retired.*'m\/new'/);
    const { message: without } = await modelNotFound(catalogOf(), 'm/old', modelOf('m/old'), 'model');
    expect(without).not.toContain('undefined');
  });

  test('shows a hundred letters of an id at most', async () => {
    const { message } = await modelNotFound(catalogOf(), 'a'.repeat(500), undefined, 'model');
    expect(message).toContain(`'${'a'.repeat(100)}'`);
  });
});
