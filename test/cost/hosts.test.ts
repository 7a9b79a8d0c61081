/** The bills of the three hosts, computed by hand. */
import { describe, expect, test } from 'vitest';
import { cost, costJson, linesOf } from './run-cost.ts';

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
    const { hosts } = costJson('--compute web');
    expect(hosts.web).toMatchObject({ usd_per_month: null, usd_per_million: null });
    expect(hosts.web.unknown).toEqual(['requests', 'processor time', 'memory of environments']);
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
    expect(found.hosts.web).toMatchObject({ usd_per_month: '56.80', unknown: [] });
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

describe('the command', () => {
  test('shows the three side by side, whichever is named', () => {
    for (const compute of ['event', 'web', 'fargate']) {
      const { code, output } = cost(`--rps 5 --compute ${compute} ${webPrices}`);
      expect(code).toBe(0);
      expect(output[0]).toMatch(new RegExp(`^compute=${compute}: 5 chat-completions per second`));
      expect(output).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^event +\d+\.\d\d +\d+\.\d\d +0\.0+\d+$/),
          expect.stringMatching(/^web +\d+\.\d\d +\d+\.\d\d +0\.80\d*$/),
          expect.stringMatching(/^fargate +\d+\.\d\d +\d+\.\d\d +88\.70$/),
        ]),
      );
    }
  });

  test.each([
    ['--compute lambda', '--compute must be one of event, web, fargate, not lambda.'],
    ['--compute web --web-requests free', '--web-requests must be an amount'],
    ['--compute web --web-requests 0.0000000000001', 'with at most 12 decimals'],
    ['--compute web --cpu-request 0', '--cpu-request must be a whole number from 1'],
    ['--compute web --quotas', 'Give either --quotas or --compute, not both.'],
  ])('"%s" ends with exit code 2 and its reason', (typed, explanation) => {
    expect(cost(typed)).toMatchObject({ code: 2, output: [], stderr: expect.stringContaining(explanation) });
  });
});
