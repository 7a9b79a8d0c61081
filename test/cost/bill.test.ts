/** The monthly bill: computed by hand, and exact to the last digit. */
import { App } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { readTraffic } from '../../cli/cost/options.ts';
import { charge, formatAmount, prices } from '../../cli/cost/prices.ts';
import { billOf } from '../../cli/cost/print-bill.ts';
import { measuredTime, type Traffic } from '../../cli/cost/traffic.ts';
import { readSettings } from '../../infra/settings/settings.ts';
import { cost, costJson, linesOf } from './run-cost.ts';

const usual = readTraffic({}, new Set());
const eventBill = (traffic: Traffic) =>
  billOf(traffic, { compute: 'event', time: measuredTime, webPrices: {} });

/** 50 per second for 2,628,000 seconds are 131,400,000 requests. */
const byHand = {
  // 131.4 million at 0.20
  'Lambda: requests': '26.28',
  // 131.4 million × 8 s × 0.25 GB = 262.8 million GB-s at 0.0000133334
  'Lambda: answering': '3504.02',
  // 131.4 million × 1 % × 0.5 s × 0.25 GB = 164,250 GB-s
  'Lambda: cold starts': '2.19',
  // 131.4 million at 3.50
  'API Gateway: requests': '459.90',
  // 131.4 million × half a unit = 65.7 million at 0.125: 8 s are longer than keys are cached
  'DynamoDB: access GetItem: key': '8.21',
  'DynamoDB: access GetItem: tenant': '8.21',
  // one unit, however many requests are running: 131.4 million at 0.625
  'DynamoDB: usage UpdateItem: limits of the key: admission': '82.13',
  // 480 and 795 bytes, with 110 of holds, are one unit each
  'DynamoDB: usage PutItem: ledger: open record': '82.13',
  'DynamoDB: usage PutItem: ledger: final record': '82.13',
  // a batch in two seconds, of 100 requests with 10 keys and 3 models: 30 in 100: 39.42 million at 0.625
  'DynamoDB: usage UpdateItem: sums of the day': '24.64',
  // 10 in 100
  'DynamoDB: usage UpdateItem: limits of the key: settlement': '8.21',
  // 1.314 million batches at 0.20
  'Lambda: aggregator: batches': '0.263',
  // 1,200 + 400 × 290 + 900 bytes: 118,100 × 131.4 million = 14,452.58 GiB: 10,240 at 0.09, the rest at 0.085
  'Transfer: answers to callers': '1279.67',
  // five metrics at 0.30
  'CloudWatch: metrics of the API': '1.50',
};

describe('a bill', () => {
  test('agrees with a computation by hand', () => {
    expect(linesOf(costJson('--rps 50 --duration 8 --chunks 400 --limits key'))).toMatchObject(byHand);
  });

  test('counts each started 10 MB of an answer', () => {
    // 25 MB are three: 3 × 2.628 million at 3.50
    const images = linesOf(costJson('--operation images --answer-bytes 25000000'));
    expect(images).toMatchObject({ 'API Gateway: requests': '27.59' });
  });

  test('has the lookups of a cache, and an open record only of what is asked of a provider', () => {
    expect(linesOf(costJson('--rps 1 --cached 50'))).toMatchObject({
      // half find two read units, half none: 2.628 million × 0.75 at 0.125
      'DynamoDB: state GetItem: cached answers: lookup': '0.246',
      // 310 + 400 × 10 + 0.4 × 1,200 bytes are five units: 1.314 million × 5 at 0.625
      'DynamoDB: state PutItem: cached answers: kept': '4.11',
      'DynamoDB: usage PutItem: ledger: open record': '0.821',
    });
  });

  test('has the log of a stream that can be resumed: by its seconds, not by its chunks', () => {
    const written = {
      // 2.628 million × (1 and 16) at 0.625
      'DynamoDB: state PutItem: head of the stream': '1.64',
      'DynamoDB: state PutItem: blocks of the stream': '26.28',
    };
    for (const chunks of [100, 400, 1_000])
      expect(linesOf(costJson(`--stream resumable --duration 8 --chunks ${chunks}`))).toMatchObject(written);
    expect(Object.keys(linesOf(costJson('--duration 8'))).join()).not.toMatch(/state |kept streams/);
    expect(Object.keys(linesOf(costJson('--stream resumable --chunks 0'))).join()).not.toMatch(
      /state |kept streams/,
    );
  });

  test('has the worker of a background response, its writes and the looks of its caller', () => {
    const found = linesOf(costJson('--operation responses --stream background --duration 8 --chunks 400'));
    expect(found).toMatchObject({
      // as answering: 2.628 million × 8 s × 0.25 GB at 0.0000133334
      'Lambda: background: worker': '70.08',
      'Lambda: answering': '70.08',
      // a sign in three seconds: 2.628 million × 2 at 0.625
      'DynamoDB: state UpdateItem: background: signs of the worker': '3.29',
      // 2.628 million × 16 × 2 at 0.125
      'DynamoDB: state GetItem: background: looks of the caller': '10.51',
    });
    const onTasks = costJson('--operation responses --stream background --compute fargate');
    expect(Object.keys(linesOf(onTasks)).join()).not.toContain('Lambda: background');
  });

  test('is close to zero without requests', () => {
    const { idle } = eventBill(usual);
    expect(idle).toBeGreaterThan(0n);
    expect(idle).toBeLessThan(1_000_000n);
  });

  test('is exactly the sum of its lines', () => {
    const { lines, total } = eventBill({ ...usual, rps: 12.345, limits: 'key+tenant' });
    expect(lines.reduce((all, { month }) => all + month, 0n)).toBe(total.month);
  });
});

describe('prices', () => {
  test.each([
    [332_000_000n, '1162.00'],
    [333_000_000n, '1165.50'],
    [334_000_000n, '1168.30'],
    [1_000_000_000n, '3033.10'],
    [20_000_000_000n, '48253.10'],
    [20_001_000_000n, '48254.61'],
  ])('of %i API requests use the tiers: %s', (requests, dollars) => {
    expect(formatAmount(charge(prices.apiGatewayRequests, requests * 1_000_000n))).toBe(dollars);
  });

  test('all have a source, and do not rise with the quantity', () => {
    for (const { source, tiers, per } of Object.values(prices)) {
      expect(source).not.toBe('');
      expect(BigInt(per)).toBeGreaterThan(0n);
      const amounts = tiers.map(({ dollars }) => Number(dollars));
      expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
      expect(tiers.at(-1)).not.toHaveProperty('upTo');
    }
  });

  test('are exact to the last digit', () => {
    expect(charge(prices.lambdaMegabyteMilliseconds, 1_024_000n * 1_000_000n * 10_000n)).toBe(133_334_000n);
    expect([0n, 1n, 1_234_567n, 999_999_999n, 1_005_000_000n].map(formatAmount)).toEqual([
      '0.00',
      '0.000000001',
      '0.00123',
      '1.000',
      '1.01',
    ]);
  });
});

test('the default memory is that of the functions', () => {
  expect(usual.memory).toBe(readSettings(new App().node).memory);
});

describe('the command', () => {
  test.each([
    ['--rps 0', '--rps must be a number with at most 3 decimals from 0.001 to 1000000, not 0.'],
    ['--rps 1.0005', '--rps must be a number'],
    ['--chunks 1.5', '--chunks must be a whole number'],
    ['--stream background', '--stream background can be used with --operation responses only.'],
    ['--memory 64', '--memory must be a whole number from 128 to 10240'],
    ['--limits all', '--limits must be one of none, key, key+tenant, not all.'],
    ['--operation video', '--operation must be one of chat'],
    ['--operation embeddings --chunks 3', '--chunks cannot be used with --operation embeddings'],
    ['--speed 3', 'Unknown option: --speed.'],
    ['--durration 3', 'Unknown option: --durration. Did you mean --duration?'],
    ['now', 'Unexpected argument: now'],
  ])('"%s" ends with exit code 2 and says why', (typed, explanation) => {
    const { code, stderr, output } = cost(typed);
    expect(code).toBe(2);
    expect(output).toEqual([]);
    expect(stderr).toContain(explanation);
    expect(stderr).toContain('Usage: npm run cost');
  });

  test('prints lines, total and exceeded quotas', () => {
    const { code, output } = cost('--rps 500 --limits key+tenant --tenants 1 --keys 1');
    expect(code).toBe(0);
    expect(output).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^compute=event: 500 chat-completions per second, 8 s each, 400 chunks, 256 MB, about 4,000 concurrent/,
        ),
        expect.stringMatching(/^PART +WHAT +USD PER MONTH +USD PER MILLION$/),
        expect.stringMatching(/^all +\d+\.\d\d +\d+\.\d\d$/),
        expect.stringMatching(/^Exceeds a quota: Lambda concurrency, 4,000 of 1,000 concurrent/),
      ]),
    );
    expect(cost('--rps 5').output.filter((line) => line.startsWith('Exceeds'))).toEqual([]);
  });

  test('prints its help', () => {
    expect(cost('--help')).toMatchObject({ code: 0, stderr: '' });
    expect(cost('--help').output.join('\n')).toContain('--duration <s>');
  });
});
