/** The forms of the catalog: what they send for a host, a model and an alias. */
import { describe, expect, test } from 'vitest';
import { targetsIn } from '../../dashboard/pages/catalog/alias-values.ts';
import { hostRow, hostValues } from '../../dashboard/pages/catalog/host-values.ts';
import { blankModel, fieldOf, modelRow, modelValues } from '../../dashboard/pages/catalog/model-values.ts';
import type { Row } from '../../dashboard/pages/catalog/row-values.ts';
import type { Values } from '../../dashboard/pages/form-values.ts';
import { seedRows } from '../../infra/catalog/seed.ts';
import { lintRows } from '../../lib/admin/catalog/lint.ts';
import { aliasesPutInput } from '../../lib/admin/catalog/schema.ts';
import { readHostRow } from '../../lib/providers/hosts/operator-hosts.ts';

const now = Date.parse('2026-11-29T10:00:00Z');

function edit(row: Row, changes: Values): Row {
  const opened = { row, values: modelValues(row, now) };
  return modelRow({ ...opened.values, ...changes }, opened, now);
}

const place = (provider: string, more: object = {}) => ({
  provider,
  region: 'global',
  upstreamId: 'x',
  ...more,
});
const model = {
  ...blankModel('2026-01-01'),
  id: 'acme/chat',
  aliases: ['chat-1'],
  price: { input: 2, output: 8, tiers: [{ aboveInputTokens: 9, input: 4, output: 16 }] },
  deployments: [place('openai', { price: { input: 1, output: 4 } }), place('azure', { ends: '2027-01-01' })],
};

describe('the form of a model', () => {
  test('leaves every row as it is where nothing is changed', () => {
    for (const row of seedRows as readonly Row[]) expect(edit(row, {})).toEqual(row);
  });

  test('changes what it shows, and keeps the rest', () => {
    const changes = {
      'row.status': 'deprecated',
      'row.replacement': ' openai/gpt-5.5 ',
      'row.limits.context': '9',
    };
    const limits = { context: 9, input: null, output: null };
    const expected = { ...model, status: 'deprecated', replacement: 'openai/gpt-5.5', limits };
    expect(edit(model, changes)).toEqual(expected);
    expect(
      edit(expected, { 'row.limits.context': '', 'row.replacement': '', 'row.status': 'active' }),
    ).toEqual(model);
  });

  test('adds a price from its day, or from soon, and keeps earlier ones and other parts', () => {
    const { price } = model;
    const changes = { 'row.price.input': '3', 'row.price.webSearch': '10' };
    const dated = edit(model, { ...changes, from: '2027-01-01' });
    const first = { ...price, from: '2027-01-01', input: 3, webSearch: 10 };
    expect(dated).toEqual({ ...model, laterPrices: [first] });
    expect(edit(dated, { 'row.price.output': '9' })).toEqual({
      ...model,
      laterPrices: [{ ...price, from: '2026-11-29T10:02:00Z', output: 9 }, first],
    });
    expect(edit(dated, { 'row.price.input': '0,5', from: '2027-01-01' }).laterPrices).toMatchObject([
      { input: '0,5' },
    ]);
    const faults = ['row.laterPrices.0.input', 'row.laterPrices.1.from', 'row.price', 'row.traits.reasoning'];
    expect(faults.map(fieldOf)).toEqual(['row.price.input', 'from', 'row.price', 'row.traits.reasoning']);
    const deeper = ['row.price.tiers.0.input', 'row.deployments.1.laterPrices.0.hours.0.utc'];
    expect(deeper.map(fieldOf)).toEqual(['row.price.parts', 'row.deployments.1.price.parts']);
  });

  test('changes tiers, hours and tools of a price as they are written', () => {
    const hours = [{ utc: ['01:00-04:00'], input: 4, output: 16 }];
    const parts = JSON.stringify({ hours, hostedTools: { file_search: 2.5 } });
    expect(edit(model, { 'row.price.parts': parts, from: '2027-01-01' }).laterPrices).toEqual([
      { from: '2027-01-01', input: 2, output: 8, hours, hostedTools: { file_search: 2.5 } },
    ]);
    expect(edit(model, { 'row.price.parts': '', from: '2027-01-01' }).laterPrices).toEqual([
      { from: '2027-01-01', input: 2, output: 8 },
    ]);
    const fault = (text: string, name = 'row.price.parts') =>
      expect(() => edit(model, { [name]: text })).toThrow(expect.objectContaining({ param: name }));
    fault('{');
    fault('{"input": 3}');
    fault('[]', 'row.deployments.1.price.parts');
  });

  test('gives a deployment a price of its own from its day, changes it, and takes it away', () => {
    const [openai, azure] = model.deployments;
    const first = 'row.deployments.0.price';
    const dearer = edit(model, {
      [`${first}.output`]: '5',
      [`${first}.parts`]: '{"tiers": []}',
      from: '2027-01-01',
    });
    const later = { from: '2027-01-01', input: 1, output: 5, tiers: [] };
    expect(dearer).toEqual({ ...model, deployments: [{ ...openai, laterPrices: [later] }, azure] });
    const own = { 'row.deployments.1.price.input': '3', 'row.deployments.1.price.output': '9' };
    const soon = { from: '2026-11-29T10:02:00Z', input: 3, output: 9 };
    expect(edit(model, own).deployments).toEqual([
      openai,
      { ...azure, price: model.price, laterPrices: [soon] },
    ]);
    const { price: _, ...unpriced } = openai as Row;
    expect(edit(model, { [`${first}.input`]: '', [`${first}.output`]: '' }).deployments).toEqual([
      unpriced,
      azure,
    ]);
    const more = {
      'row.deployments.count': '3',
      'row.deployments.2.provider': 'xai',
      'row.deployments.2.region': 'global',
    };
    const added = edit(model, {
      ...more,
      'row.deployments.2.upstreamId': 'y',
      'row.deployments.2.price.input': '0.5',
    });
    expect(added.deployments).toMatchObject([{}, {}, { upstreamId: 'y', price: { input: 0.5 } }]);
  });

  test('moves and removes deployments with what it does not show of them', () => {
    const [openai, azure] = model.deployments;
    const { values } = { values: modelValues(model, now) };
    const swapped = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name.replace(/^(row\.deployments\.)([01])/, (_, list, index) => `${list}${1 - Number(index)}`),
        value,
      ]),
    );
    expect(edit(model, swapped).deployments).toEqual([azure, openai]);
    expect(
      edit(model, { 'row.deployments.count': '1', 'row.deployments.0.region': 'eu' }).deployments,
    ).toEqual([{ ...openai, region: 'eu' }]);
  });

  test('makes a new one that the catalog takes', () => {
    const filled = {
      ...{ 'row.id': 'acme/new', 'row.price.input': '0.25', 'row.price.output': '1' },
      ...{ 'row.deployments.0.provider': 'openai', 'row.deployments.0.upstreamId': 'new' },
    };
    const row = edit(blankModel('2026-11-29'), filled);
    expect(lintRows([{ row }])).toEqual([]);
    expect(row).toMatchObject({ price: { input: 0.25, output: 1 }, traits: {}, status: 'active' });
  });

  test.each(['{', '[]', '{"price":{}}'])('refuses other members that are %s at their field', (row) => {
    expect(() => edit(model, { row })).toThrow(expect.objectContaining({ param: 'row' }));
  });
});

describe('the form of a host', () => {
  const row = {
    name: 'a',
    baseUrl: 'http://10.0.0.5/v1',
    needsKey: true,
    embeddings: { batchSize: 4 },
    choices: 2,
  };
  const sent = (changes: Values, opened: Row = row) =>
    hostRow({ ...hostValues(opened), ...changes }, { row: opened, values: hostValues(opened) });

  test('sends what is changed, and keeps the rest', () => {
    expect(sent({})).toEqual(row);
    expect(
      sent({ 'row.speaks': 'yes', 'row.needsKey': 'no', 'row.embeddings': '', row: '{"takes":["top_k"]}' }),
    ).toEqual({
      ...{ name: 'a', baseUrl: 'http://10.0.0.5/v1', needsKey: false, speaks: true, takes: ['top_k'] },
    });
    const made = sent({ 'row.name': 'b', 'row.baseUrl': 'https://b.example/v1', 'row.rerank': 'yes' }, {});
    expect(readHostRow(made)).toMatchObject({ name: 'b', rerank: {} });
  });
});

test('the form of an alias sends targets with weights and conditions, and what is no number as it is typed', () => {
  const values = {
    ...{ 'targets.0.model': ' openai/gpt-5.5 ', 'targets.0.weight': '80', 'targets.0.tools': 'yes' },
    ...{ 'targets.0.input_tokens_above': '5000', 'targets.1.model': 'acme/one', 'targets.1.weight': '' },
    ...{ 'targets.2.model': 'gone', 'targets.count': '2' },
  };
  const targets = targetsIn(values);
  expect(targets).toEqual([
    { model: 'openai/gpt-5.5', weight: 80, when: { tools: true, input_tokens_above: 5_000 } },
    { model: 'acme/one' },
  ]);
  expect(aliasesPutInput.safeParse({ targets }).success).toBe(true);
  expect(targetsIn({ ...values, 'targets.0.weight': 'some' })[0]).toMatchObject({ weight: 'some' });
});
