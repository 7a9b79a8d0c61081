/** The catalog commands: list, show, lint, set-status, set-price and sync. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seedRows } from '../../infra/catalog/seed.ts';
import { priceAt } from '../../lib/core/accounting/price.ts';
import { isJsonObject } from '../../lib/core/formats/json-object.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { modelRow, parsed, useOperator } from './operator.ts';

const operator = useOperator();
const catalog = createCatalogStore(operator.at('catalog'));

const row = (id: string, more: object = {}) =>
  modelRow(id, { price: { input: 2, output: 8, cachedInput: 0.5 }, ...more });

const seed = (...rows: readonly object[]) =>
  Promise.all(rows.map((one) => catalog.put(one, { source: 'seed' })));

const stored = async (id: string) => {
  const found = await catalog.get(id);
  if (!found || !isJsonObject(found.row)) throw new Error(`no row ${id}`);
  return { ...found, row: found.row };
};

const pricesNow = async (id: string, at: string) => {
  const { prices } = readModelRow((await stored(id)).row);
  return priceAt(prices, Date.parse(at) / 1000)?.price;
};

describe('list and show', () => {
  test('show each model with its status, current price and writer', async () => {
    await seed(row('acme/one', { laterPrices: [{ from: '2020-01-01', input: 1.25, output: 4 }] }));
    await catalog.put(row('acme/two', { status: 'inactive' }), { source: 'operator' });
    const { code, output } = await operator.run('catalog list');
    expect(code).toBe(0);
    expect(output).toEqual([
      expect.stringMatching(/^ID +STATUS +INPUT +OUTPUT +WRITTEN BY +DEPLOYMENTS$/),
      expect.stringMatching(/^acme\/one +active +1\.25 +4\.00 +seed +openai:global$/),
      expect.stringMatching(/^acme\/two +inactive +2\.00 +8\.00 +operator +openai:global$/),
    ]);
    const some = parsed(await operator.run('catalog list --json --status inactive'));
    expect(some).toEqual([
      {
        id: 'acme/two',
        status: 'inactive',
        input: '2.00',
        output: '8.00',
        written_by: 'operator',
        deployments: ['openai:global'],
      },
    ]);
    expect(parsed(await operator.run('catalog show acme/two'))).toEqual(
      row('acme/two', { status: 'inactive' }),
    );
  });

  test.each([
    ['catalog list --status gone', 2, 'gone'],
    ['catalog show acme/none', 1, 'Model not found: acme/none'],
    ['catalog show', 2, 'Missing required argument: <model>'],
    ['catalog list --json=yes', 2, 'json'],
  ])('"%s" ends with exit code %i', async (typed, code, explanation) => {
    expect(await operator.run(typed)).toMatchObject({
      code,
      output: [],
      stderr: expect.stringContaining(explanation),
    });
  });
});

describe('set-status', () => {
  test('retires a model and activates it again, and the row then belongs to the operator', async () => {
    await seed(row('acme/one'), row('acme/two'));
    expect((await operator.run('catalog set-status acme/one deprecated --replacement acme/two')).code).toBe(
      0,
    );
    expect(await stored('acme/one')).toMatchObject({
      source: 'operator',
      row: { status: 'deprecated', replacement: 'acme/two' },
    });
    expect((await operator.run('catalog set-status acme/one active')).code).toBe(0);
    expect((await stored('acme/one')).row).toEqual(row('acme/one'));
  });

  test.each([
    ['acme/one gone', 2],
    ['acme/one active --replacement acme/two', 2],
    ['acme/one deprecated --replacement acme/one', 2],
    ['acme/one deprecated --replacement acme/none', 2],
    ['acme/none retired', 1],
  ])('%s fails with exit code %i and writes nothing', async (typed, code) => {
    await seed(row('acme/one'), row('acme/two'));
    expect((await operator.run(`catalog set-status ${typed}`)).code).toBe(code);
    expect(await stored('acme/one')).toMatchObject({ source: 'seed', row: row('acme/one') });
  });
});

describe('set-price', () => {
  test('applies from the given day; earlier prices and other amounts stay', async () => {
    await seed(row('acme/one', { laterPrices: [{ from: '2027-06-01', input: 5, output: 5 }] }));
    const { code, output, stderr } = await operator.run(
      'catalog set-price acme/one --input 0.125 --output 1 --web-search 10 --from 2027-01-01',
    );
    expect(code).toBe(0);
    expect(stderr).toContain('price applies from 2027-01-01 until 2027-06-01.');
    const made = { from: '2027-01-01', input: 0.125, output: 1, cachedInput: 0.5, webSearch: 10 };
    expect(JSON.parse(output.join('\n'))).toEqual(made);
    expect((await stored('acme/one')).row).toMatchObject({
      price: { input: 2 },
      laterPrices: [made, { from: '2027-06-01', input: 5 }],
    });
    expect(await pricesNow('acme/one', '2026-12-31')).toMatchObject({ input: 2_000 });
    expect(await pricesNow('acme/one', '2027-01-01')).toMatchObject({ input: 125, webSearch: 10_000_000 });
    expect(await pricesNow('acme/one', '2027-06-01')).toMatchObject({ input: 5_000 });
  });

  test('without a day applies once every function has read it', async () => {
    await seed(row('acme/one'));
    const before = Date.now();
    const outcome = await operator.run('catalog set-price acme/one --input 3 --output 9 --cached none');
    expect(outcome.code).toBe(0);
    const { from, cachedInput } = parsed(outcome);
    expect(Date.parse(from) - before).toBeGreaterThan(60_000);
    expect(Date.parse(from) - before).toBeLessThan(180_000);
    expect(cachedInput).toBeUndefined();
    expect(await pricesNow('acme/one', new Date(before).toISOString())).toMatchObject({ input: 2_000 });
    expect(await pricesNow('acme/one', from)).toMatchObject({ input: 3_000, cachedInput: null });
  });

  test('keeps the prices of several operators at the same time', async () => {
    await seed(row('acme/one', { limits: { context: 0.5e6, input: null, output: 1e3 } }));
    const days = ['2027-01-01', '2027-02-01', '2027-03-01'];
    const outcomes = await Promise.all(
      days.map((from) => operator.run(`catalog set-price acme/one --input 3.25 --output 9 --from ${from}`)),
    );
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect((await stored('acme/one')).row.laterPrices).toMatchObject(days.map((from) => ({ from })));
  });

  test('replaces a price of the same day', async () => {
    await seed(row('acme/one'));
    for (const input of ['3', '4']) {
      await operator.run(`catalog set-price acme/one --input ${input} --output 9 --from 2027-01-01`);
    }
    expect((await stored('acme/one')).row.laterPrices).toEqual([
      { from: '2027-01-01', input: 4, output: 9, cachedInput: 0.5 },
    ]);
  });

  test('of one deployment leaves the model’s price, and starts with its history', async () => {
    const deployments = ['openai', 'azure'].map((provider) => ({
      provider,
      region: 'global',
      upstreamId: 'one',
    }));
    await seed(row('acme/one', { deployments }));
    const typed = 'catalog set-price acme/one --input 3 --output 9 --from 2027-01-01';
    expect((await operator.run(`${typed} --deployment azure`)).code).toBe(0);
    const model = readModelRow((await stored('acme/one')).row);
    expect(model.prices).toHaveLength(1);
    expect(model.deployments.map(({ prices }) => prices?.map(({ price }) => price.input))).toEqual([
      undefined,
      [2_000, 3_000],
    ]);
    // A later price of the model does not apply to that deployment, and the command says so.
    expect((await operator.run(typed)).stderr).toContain('azure:global');
    expect((await operator.run(`${typed} --deployment mistral`)).stderr).toContain(
      'openai:global, azure:global',
    );
  });

  test('requires a decision about the prices for long prompts', async () => {
    const tiers = [{ aboveInputTokens: 200, input: 4, output: 12 }];
    await seed(row('acme/one', { price: { input: 2, output: 8, tiers } }));
    const typed = 'catalog set-price acme/one --input 3 --output 9 --from 2027-01-01';
    expect(await operator.run(typed)).toMatchObject({ code: 2, stderr: expect.stringContaining('--tiers') });
    expect(parsed(await operator.run(`${typed} --tiers keep`))).toMatchObject({ tiers });
    expect(parsed(await operator.run(`${typed} --tiers none`))).toEqual({
      from: '2027-01-01',
      input: 3,
      output: 9,
    });
  });

  test.each([
    ['service-tiers', { serviceTiers: { flex: { input: 1, output: 4 } } }],
    ['hours', { hours: [{ utc: ['01:00-04:00'], input: 4, output: 16 }] }],
  ])('requires a decision about --%s', async (name, more) => {
    await seed(row('acme/one', { price: { input: 2, output: 8, ...more } }));
    const typed = 'catalog set-price acme/one --input 3 --output 9 --from 2027-01-01';
    const refused = { code: 2, stderr: expect.stringContaining(`--${name} keep`) };
    expect(await operator.run(typed)).toMatchObject(refused);
    expect(parsed(await operator.run(`${typed} --${name} keep`))).toMatchObject({ input: 3, ...more });
    const price = { from: '2027-01-01', input: 3, output: 9 };
    expect(parsed(await operator.run(`${typed} --${name} none`))).toEqual(price);
  });

  test('sets the price of a service tier, and of some hours', async () => {
    await seed(row('acme/one', { price: { input: 2, output: 8 } }));
    const typed = 'catalog set-price acme/one --from 2027-01-01';
    expect(
      parsed(await operator.run(`${typed} --input 1 --output 4 --cached 0.1 --service-tier flex`)),
    ).toEqual({
      from: '2027-01-01',
      input: 2,
      output: 8,
      serviceTiers: { flex: { input: 1, output: 4, cachedInput: 0.1 } },
    });
    const peak = `${typed} --input 4 --output 16 --at 01:00-04:00,06:00-10:00 --weekdays mon,fri`;
    const hours = { utc: ['01:00-04:00', '06:00-10:00'], weekdays: ['mon', 'fri'], input: 4, output: 16 };
    expect(parsed(await operator.run(peak))).toMatchObject({ input: 2, hours: [hours] });
    const dearer = peak.replace('--input 4', '--input 5');
    expect(parsed(await operator.run(dearer))).toMatchObject({ hours: [{ ...hours, input: 5 }] });
  });

  test('sets what is no token', async () => {
    await seed(row('acme/one', { price: { input: 2, output: 8 } }));
    const typed = 'catalog set-price acme/one --from 2027-01-01 --input 2 --output 8';
    const given =
      '--request 6 --image 0.02 --cache-storage 4.5 --uplift 10 --cache-write-hour 4 ' +
      '--hosted-tools code_interpreter=30,file_search=2.50 --stated-cost compare --free-allowance yes';
    const price = {
      from: '2027-01-01',
      input: 2,
      output: 8,
      cacheWriteHour: 4,
      request: 6,
      image: 0.02,
      cacheStorage: 4.5,
      upliftPercent: 10,
      hostedTools: { code_interpreter: 30, file_search: 2.5 },
      statedCost: 'compare',
      freeAllowance: true,
    };
    expect(parsed(await operator.run(`${typed} ${given}`))).toEqual(price);
    const { hostedTools: _, freeAllowance: __, statedCost: ___, ...rest } = price;
    const removed = '--hosted-tools none --stated-cost none --free-allowance none';
    expect(parsed(await operator.run(`${typed} ${removed}`))).toEqual(rest);
  });

  test.each([
    ['--input 3 --output 9 --at 4-5', 'Not a range of hours'],
    ['--input 3 --output 9 --weekdays mon', '--weekdays needs --at'],
    ['--input 3 --output 9 --at 01:00-02:00 --weekdays someday', 'weekdays'],
    ['--input 3 --output 9 --at 01:00-02:00 --service-tier flex', 'not both'],
    ['--input 3 --output 9 --service-tier flex --web-search 10', '--web-search'],
    ['--input 3 --output 9 --service-tier Flex', 'serviceTiers'],
    ['--input 3 --output 9 --hosted-tools file_search', '--hosted-tools file_search'],
    ['--input 3 --output 9 --free-allowance maybe', '--free-allowance'],
    ['--input 3 --output 9 --stated-cost maybe', 'statedCost'],
    ['--input 3', 'Missing required option: --output <usd>'],
    ['--input three --output 9', 'three'],
    ['--input -3 --output 9', 'input'],
    ['--input none --output 9', '--input'],
    ['--input 0.0000001 --output 9', 'decimals'],
    ['--input 3 --output 9 --from soon', 'soon'],
    ['--input 3 --output 9 --from 2027-02-30', '2027-02-30'],
  ])('%s fails and writes nothing', async (typed, explanation) => {
    await seed(row('acme/one'));
    const outcome = await operator.run(`catalog set-price acme/one ${typed}`);
    expect(outcome).toMatchObject({ code: 2, output: [], stderr: expect.stringContaining(explanation) });
    expect((await stored('acme/one')).row).toEqual(row('acme/one'));
  });
});

describe('price', () => {
  test('lists every amount, now and later', async () => {
    const price = {
      input: 0.15,
      output: 0.6,
      cachedInput: 0.0375,
      serviceTiers: {
        flex: { input: 0.075, output: 0.3, tiers: [{ aboveInputTokens: 9, input: 1, output: 2 }] },
      },
      hours: [{ utc: ['01:00-04:00', '06:30-10:00'], weekdays: ['mon', 'fri'], input: 0.3, output: 1.2 }],
      webSearch: 10,
      hostedTools: { code_interpreter: 30 },
      image: 0.02,
      cacheStorage: 4.5,
      upliftPercent: 10,
      freeAllowance: true,
      statedCost: 'compare',
    };
    const azure = { provider: 'azure', region: 'global', upstreamId: 'one', price: { input: 1, output: 2 } };
    const laterPrices = [
      { from: '2026-01-01', ...price },
      { from: '2099-01-01', input: 2, output: 3 },
    ];
    const openai = { provider: 'openai', region: 'global', upstreamId: 'one' };
    await seed(
      row('acme/one', { price: { input: 9, output: 9 }, laterPrices, deployments: [openai, azure] }),
    );
    const outcome = await operator.run('catalog price acme/one --json');
    expect(outcome.stderr).toContain('free at the provider');
    const lines = parsed(outcome).map((line: object) => Object.values(line).join('|'));
    const peak = '01:00-04:00 06:30-10:00 UTC mon fri';
    expect(lines).toEqual([
      '|2026-01-01||input|0.15|million tokens',
      '|2026-01-01||output|0.6|million tokens',
      '|2026-01-01||cachedInput|0.0375|million tokens',
      '|2026-01-01|tier flex|input|0.075|million tokens',
      '|2026-01-01|tier flex|output|0.3|million tokens',
      '|2026-01-01|tier flex, above 9 input tokens|input|1|million tokens',
      '|2026-01-01|tier flex, above 9 input tokens|output|2|million tokens',
      `|2026-01-01|${peak}|input|0.3|million tokens`,
      `|2026-01-01|${peak}|output|1.2|million tokens`,
      '|2026-01-01||webSearch|10|thousand',
      '|2026-01-01||image|0.02|image',
      '|2026-01-01||cacheStorage|4.5|million tokens and hour',
      '|2026-01-01||code_interpreter|30|thousand calls',
      '|2026-01-01||uplift|10 %|price of tokens',
      '|2026-01-01||stated cost|compare|answer',
      '|2099-01-01||input|2|million tokens',
      '|2099-01-01||output|3|million tokens',
      'azure:global|||input|1|million tokens',
      'azure:global|||output|2|million tokens',
    ]);
    expect((await operator.run('catalog price acme/none')).code).toBe(1);
  });
});

describe('lint', () => {
  const faulty = row('acme/two', {
    status: 'deprecated',
    replacement: 'acme/none',
    price: undefined,
    colour: 'red',
  });

  test('reports every fault of every file, with exit code 1', async () => {
    const path = join(operator.directory, 'rows.json');
    const alone = join(operator.directory, 'row.json');
    const unknownProvider = { deployments: [{ provider: 'missing', region: 'global', upstreamId: 'x' }] };
    await writeFile(path, JSON.stringify([faulty, row('acme/one'), row('acme/one', unknownProvider), 7]));
    await writeFile(alone, JSON.stringify(row('acme/three', { replacement: 'acme/one' })));
    const outcome = await operator.run(['catalog', 'lint', path, alone, '--json']);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('6 faults in 5 rows');
    const faults = parsed(outcome).map(
      ({ model, fault }: { model: string; fault: string }) => `${model} ${fault}`,
    );
    expect(faults).toEqual([
      expect.stringContaining('acme/two row: unknown field colour'),
      expect.stringContaining('acme/two price:'),
      expect.stringContaining('row 4 row: not of type'),
      'acme/one deployments.0.provider: unknown provider missing',
      'acme/three replacement: not allowed for an active model',
      'acme/one occurs more than once',
    ]);
  });

  test('finds a faulty row in the table', async () => {
    await seed(row('acme/one'));
    expect(await operator.run('catalog lint')).toMatchObject({ code: 0, output: [] });
    const Item = {
      pk: { S: 'model#acme/two' },
      source: { S: 'operator' },
      row: { M: { id: { S: 'acme/two' } } },
    };
    await operator.at('catalog').call('DynamoDB_20120810.PutItem', { TableName: 'catalog', Item });
    const { code, output } = await operator.run('catalog lint');
    expect(code).toBe(1);
    expect(output.join('\n')).toMatch(/acme\/two +status/);
    expect((await operator.run('catalog list')).output.join('\n')).toContain('Malformed');
  });

  test('finds no fault in the seed', async () => {
    expect(await operator.run('catalog lint --seed')).toMatchObject({ code: 0, output: [] });
  });
});

describe('sync', () => {
  test('writes new and changed rows, keeps the operator’s rows, and lists them', async () => {
    const [first, second, third] = seedRows.map((one) => readModelRow(one).id);
    if (!first || !second || !third) throw new Error('no seed');
    await catalog.put(seedRows[0], { source: 'operator' });
    await catalog.put({ ...Object(seedRows[1]), created: '2020-01-01' }, { source: 'seed' });
    await catalog.put(seedRows[2], { source: 'seed' });
    await seed(row('acme/gone'));

    const dry = parsed(await operator.run('catalog sync --dry-run --json'));
    expect(await catalog.list()).toHaveLength(4);
    const outcome = await operator.run('catalog sync --json');
    expect(outcome).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Wrote ${seedRows.length - 2} rows;`),
    });
    expect(parsed(outcome)).toEqual(dry);
    const states = new Map<string, string>(
      dry.map(({ model, state }: { model: string; state: string }) => [model, state]),
    );
    expect([first, second, third, 'acme/gone'].map((id) => states.get(id))).toEqual([
      'kept',
      'changed',
      'same',
      'left',
    ]);
    expect(await catalog.list()).toHaveLength(seedRows.length + 1);
    expect(await stored(second)).toMatchObject({ source: 'seed', row: seedRows[1] });

    const again = await operator.run('catalog sync');
    expect(again.output.slice(1)).toEqual([expect.stringMatching(/left$/), expect.stringMatching(/kept$/)]);
    expect(again.stderr).toContain('Wrote 0');
  });
});
