/** The bills of the three hosts, and where they are equal: computed by hand, and as properties. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { billOf, type Hosting } from '../../cli/cost/bill.ts';
import { breakEvenRps } from '../../cli/cost/break-even.ts';
import { readTraffic } from '../../cli/cost/options.ts';
import { type Prices, pricesOf } from '../../cli/cost/prices.ts';
import { measuredTime } from '../../cli/cost/processor-time.ts';
import type { Traffic } from '../../cli/cost/traffic.ts';
import { cost, costJson } from './run-cost.ts';

interface JsonLine {
  readonly part: string;
  readonly what: string;
  readonly usd_per_month: string;
}

const linesOf = ({ lines }: { readonly lines: readonly JsonLine[] }) =>
  Object.fromEntries(lines.map(({ part, what, usd_per_month }) => [`${part}: ${what}`, usd_per_month]));

const prices = pricesOf('us-east-1') as Prices;
const usual = readTraffic({}, new Set());
const hosting: Hosting = { compute: 'event', time: measuredTime, webPrices: {} };
const monthOf = (traffic: Traffic, compute: Hosting['compute']) =>
  billOf(traffic, prices, { ...hosting, compute }).total.month;

const webPrices = '--web-vcpu-second 0.000036 --web-gb-second 0.0000025 --web-requests 0.2';

describe('Fargate', () => {
  /**
   * 50 per second, of 559 + 400 × 95 = 38,559 µs, are 1.93 processors: at 60 % of one for each task, four. Two of them are always
   * there.
   */
  const byHand = {
    // 2 × 730 hours × 0.03238, twice
    'Fargate: least tasks: processors': '47.27',
    'Fargate: further tasks: processors': '47.27',
    // 2 × 730 hours × 2 GB × 0.00356
    'Fargate: further tasks: memory': '10.40',
    // 2 × 730 hours × 0.005
    'Fargate: further tasks: addresses': '7.30',
    // 730 hours × 0.0225
    'Load balancer: hours': '16.43',
    'Load balancer: addresses': '7.30',
    // 6,000 + 1,200 + 400 × 290 + 900 bytes, 180,000 times an hour: 20.80 GiB, more than 50 / 25 and 400 / 3,000; × 730 × 0.008
    'Load balancer: capacity': '121.49',
    // 590 + 26 + 780 + 26 bytes × 131.4 million = 174.02 GiB at 0.50
    'CloudWatch: log of the server': '87.01',
  };

  test('costs what its tasks, its load balancer and the shared parts cost, by hand', () => {
    const found = costJson('--rps 50 --duration 8 --chunks 400 --compute fargate');
    expect(linesOf(found)).toMatchObject(byHand);
    // Two tasks, the load balancer and its addresses: 64.97 + 23.73, and the stored catalog.
    expect(found.hosts.fargate).toMatchObject({ usd_idle: '88.70', unknown: [] });
    const names = Object.keys(linesOf(found));
    expect(names.filter((name) => /API|access log|answering|cold/.test(name))).toEqual([]);
  });

  test('has a task for each thousand streams, however little they ask of the processor', () => {
    // 12,000 at a time, of one chunk each.
    const { output } = cost('--rps 20 --duration 600 --chunks 1 --compute fargate');
    expect(output[0]).toContain('tasks: 12');
    expect(output).toContain('Deploy with -c maxTasks=12 or more.');
  });

  test('needs more tasks for a slower processor', () => {
    const { output } = cost('--rps 50 --compute fargate --cpu-request 1600 --cpu-chunk 220');
    // 50 × (1,600 + 400 × 220) µs = 4.48; / 0.6 = 7.47
    expect(output[0]).toContain('tasks: 8');
  });
});

describe('Web Functions', () => {
  test('have no known price: what they cost is unknown, and never nothing', () => {
    const { output } = cost('--compute web');
    expect(output).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Web Functions +processor time +unknown +unknown$/),
        expect.stringMatching(/^all +unknown +unknown$/),
      ]),
    );
    const { hosts, usd_per_month } = costJson('--compute web');
    expect(hosts.web).toMatchObject({ usd_per_month: null, usd_per_million: null });
    expect(hosts.web.unknown).toEqual(['requests', 'processor time', 'memory of environments']);
    expect(usd_per_month).toBeUndefined();
  });

  test('have a total with prices that are given, by hand', () => {
    const found = costJson(`--compute web ${webPrices}`);
    expect(linesOf(found)).toMatchObject({
      // 2.628 million at 0.20
      'Web Functions: requests': '0.526',
      // 2.628 million × 38,559 µs = 101,333.1 s
      'Web Functions: processor time': '3.65',
      // 8 streams are one environment: 205 + 64 × 0.17 = 215.88 MB for 2,628,000 s are 554,038 GB-s
      'Web Functions: memory of environments': '1.39',
    });
    expect(found.hosts.web).toMatchObject({ usd_per_month: '56.72', unknown: [] });
  });

  test('may cost as much as the difference to another host, by the second of a processor', () => {
    const { bills, found } = {
      bills: costJson(`--compute web ${webPrices}`).hosts,
      found: costJson('--compute web').break_even,
    };
    // Without these 5.57 USD, the bill of Web Functions is 51.15: 142.72 are left to 193.87, for 101,333.1 s.
    expect(bills.event.usd_per_month).toBe('193.87');
    expect(Number(found.web_vcpu_second_below_event)).toBeCloseTo(142.72 / 101_333.1, 5);
    expect(Number(found.web_vcpu_second_below_fargate)).toBeCloseTo((130.52 - 51.15) / 101_333.1, 5);
  });

  test('at just that price, and with nothing else to pay, cost the same', () => {
    const { hosts, break_even } = costJson('--compute web --rps 7');
    const price = Number(break_even.web_vcpu_second_below_event).toFixed(12);
    const again = costJson(
      `--compute web --rps 7 --web-vcpu-second ${price} --web-gb-second 0 --web-requests 0`,
    );
    const difference = Number(again.hosts.web.usd_per_month) / Number(hosts.event.usd_per_month);
    // The price is printed with three digits.
    expect(difference).toBeGreaterThan(0.99);
    expect(difference).toBeLessThan(1.01);
  });

  test('are not for images, which stay functions for events', () => {
    const { hosts } = costJson('--compute web --operation images');
    // Beside the two secrets of the operations that are.
    expect(Number(hosts.web.usd_per_month) - Number(hosts.event.usd_per_month)).toBeCloseTo(0.8, 2);
    expect(hosts.web.unknown).toEqual([]);
    expect(cost('--compute web --operation images').output.join('\n')).toContain(
      'images-generations stays a function for events.',
    );
  });
});

describe('from which traffic Fargate costs less', () => {
  test('follows from what is due without requests, by hand', () => {
    // 88.70 for the least tasks and the load balancer, less 1.50 for the metrics of an API; a month of one request a second costs
    // 149.5 more in functions: 140.8 Lambda, 9.2 API, 0.6 tables, 1.1 logs, 0.2 keys, less 2.4 for the load balancer's capacity.
    expect(costJson('--compute event').break_even.fargate_from_rps).toBeCloseTo(87.2 / 149.5, 2);
  });

  test('is exact: a thousandth of a request per second less, and functions for events cost less', () => {
    const traffics = fc.record({
      duration: fc.integer({ min: 100, max: 60_000 }).map((value) => value / 1_000),
      chunks: fc.integer({ min: 0, max: 2_000 }),
      memory: fc.integer({ min: 128, max: 3_008 }),
      limits: fc.constantFrom('none', 'key', 'key+tenant' as const),
    });
    fc.assert(
      fc.property(traffics, (changes) => {
        const traffic: Traffic = { ...usual, ...changes };
        const from = breakEvenRps(traffic, prices, hosting);
        if (from === undefined) return;
        const at = (rps: number): Traffic => ({ ...traffic, rps });
        const less = Math.round(from * 1_000 - 1) / 1_000;
        expect(monthOf(at(from), 'fargate')).toBeLessThanOrEqual(monthOf(at(from), 'event'));
        expect(monthOf(at(less), 'fargate')).toBeGreaterThan(monthOf(at(less), 'event'));
      }),
      { numRuns: 30 },
    );
  });

  test('stays so with more traffic', () => {
    const from = costJson('--compute event').break_even.fargate_from_rps as number;
    for (let rps = from; rps < 10_000; rps *= 1.1) {
      const more = { ...usual, rps: Math.round(rps * 1_000) / 1_000 };
      expect(monthOf(more, 'fargate')).toBeLessThanOrEqual(monthOf(more, 'event'));
    }
  });

  test('is never, where requests ask more of the processor than of the time', () => {
    const typed = '--compute fargate --duration 0.1 --chunks 0 --memory 128 --cpu-request 10000000';
    expect(costJson(typed).break_even.fargate_from_rps).toBeNull();
    expect(cost(typed).output.join('\n')).toContain('Functions for events cost less than Fargate');
  });
});

describe('the command', () => {
  test('shows the three side by side, whichever is named', () => {
    for (const compute of ['event', 'web', 'fargate']) {
      const { code, output } = cost(`--rps 5 --compute ${compute} ${webPrices}`);
      expect(code).toBe(0);
      expect(output[0]).toMatch(new RegExp(`^compute=${compute}: 5 chat-completions per second`));
      expect(output).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^PART +EVENT +WEB +FARGATE$/),
          expect.stringMatching(/^all +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d$/),
          expect.stringMatching(/^Fargate costs no more than functions for events from 0\.\d+ such requests/),
          expect.stringMatching(/^Web Functions cost as much as Fargate if a vCPU-second costs \d/),
        ]),
      );
    }
  });

  test('has the same lines for functions for events with and without a comparison', () => {
    const { hosts, lines } = costJson('--rps 50 --compute event');
    const alone = costJson('--rps 50');
    expect(lines).toEqual(alone.lines);
    expect(hosts.event.usd_per_month).toBe(alone.usd_per_month);
  });

  test.each([
    ['--compute lambda', '--compute must be one of event, web, fargate, not lambda.'],
    ['--web-vcpu-second 1', '--web-vcpu-second requires --compute.'],
    ['--cpu-chunk 5', '--cpu-chunk requires --compute.'],
    ['--compute web --web-requests free', '--web-requests must be an amount'],
    ['--compute web --web-requests 0.0000000000001', 'with at most 12 decimals'],
    ['--compute web --cpu-request 0', '--cpu-request must be a whole number from 1'],
    ['--compute web --quotas', 'Give either --quotas or --compute, not both.'],
  ])('"%s" ends with exit code 2 and its reason', (typed, explanation) => {
    expect(cost(typed)).toMatchObject({ code: 2, output: [], stderr: expect.stringContaining(explanation) });
  });
});
