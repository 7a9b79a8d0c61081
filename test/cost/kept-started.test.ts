/** What environments that are kept started cost, and what a Savings Plan takes off. */
import { describe, expect, test } from 'vitest';
import { cost, costJson } from './run-cost.ts';

const linesOf = (typed: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    costJson(typed).lines.map(({ part, what, usd_per_month }: Record<string, string>) => [
      `${part}: ${what}`,
      usd_per_month,
    ]),
  );

describe('environments that are kept started', () => {
  test('cost by the hour, and their requests less, by hand', () => {
    // 40 concurrent, 10 of them kept: 0.5 GB × 2,628,000 s × 10 at 0.0000033334
    expect(linesOf('--rps 5 --duration 8 --provisioned 10')).toMatchObject({
      'Lambda: kept started': '43.80',
      // a quarter of 52.56 million GB-s at 0.0000077778, the others at 0.0000133334
      'Lambda: answering where kept started': '102.20',
      'Lambda: answering': '525.60',
      // three quarters of 13.14 million × 1 % × 0.25 GB-s
      'Lambda: cold starts': '0.329',
    });
  });

  test('one of 512 MB costs what the documentation of the setting says', () => {
    expect(linesOf('--rps 5 --provisioned 1')).toMatchObject({ 'Lambda: kept started': '4.38' });
  });

  test('cost in the hours of their schedule only', () => {
    // 60 of 168 hours of a week
    const scheduled = linesOf('--rps 5 --provisioned 10 --provisioned-hours Mon-Fri/07:00-19:00');
    expect(scheduled['Lambda: kept started']).toBe('15.64');
    expect(scheduled['Lambda: answering where kept started']).toBe('36.50');
    const zoned = linesOf('--rps 5 --provisioned 10 --provisioned-hours Mon-Fri/07:00-19:00/Europe/Berlin');
    expect(zoned).toEqual(scheduled);
    const overSunday = linesOf('--rps 5 --provisioned 10 --provisioned-hours sat-mon/00:00-12:00');
    // 36 of 168 hours
    expect(overSunday['Lambda: kept started']).toBe('9.39');
  });

  test('pay off where they are in use for more than 60 % of the time', () => {
    const total = (typed: string) => Number(costJson(`--duration 8 --cold 0 ${typed}`).usd_per_month);
    // 5.6 and 6.4 of 10 are in use.
    expect(total('--rps 0.7 --provisioned 10')).toBeGreaterThan(total('--rps 0.7'));
    expect(total('--rps 0.8 --provisioned 10')).toBeLessThan(total('--rps 0.8'));
  });

  test('are part of the other hosts only where the operation is a function for events', () => {
    const { hosts } = costJson('--operation models --provisioned 1 --compute web');
    expect(hosts.event.usd_idle).toBe('4.38');
    expect(hosts.web.usd_idle).toBe('5.18');
  });

  test.each([
    ['--provisioned-hours Mon-Fri/07:00-19:00', '--provisioned-hours requires --provisioned.'],
    ['--provisioned 1 --provisioned-hours Mon-Fri/19:00-07:00', 'Mon-Fri/19:00-07:00'],
    ['--provisioned 1 --compute fargate', 'no function of its own there'],
    ['--provisioned 1 --compute web', 'no function of its own there'],
    ['--provisioned 0.5', 'whole number from 0 to 100000'],
  ])('%s is refused', (typed, message) => {
    const { code, stderr } = cost(typed);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('a Savings Plan', () => {
  test('takes its percent off the time of functions, and off nothing else', () => {
    const plain = linesOf('--rps 5 --provisioned 10');
    const saved = linesOf('--rps 5 --provisioned 10 --lambda-savings 12.5');
    const changed = Object.keys(plain).filter((name) => plain[name] !== saved[name]);
    expect(changed.sort()).toEqual([
      'Lambda: aggregator',
      'Lambda: answering',
      'Lambda: answering where kept started',
      'Lambda: cold starts',
      'Lambda: kept started',
    ]);
    // 525.6026 and 43.8009 less an eighth
    expect(saved).toMatchObject({ 'Lambda: answering': '459.90', 'Lambda: kept started': '38.33' });
  });

  test('takes its percent off tasks, and off nothing else', () => {
    const plain = linesOf('--rps 5 --compute fargate');
    const saved = linesOf('--rps 5 --compute fargate --fargate-savings 50');
    const changed = Object.keys(plain).filter((name) => plain[name] !== saved[name]);
    expect(changed.sort()).toEqual(['Fargate: least tasks: memory', 'Fargate: least tasks: processors']);
  });

  test('is named with the price that it lowers', () => {
    expect(cost('--prices --lambda-savings 10').output.join('\n')).toContain(
      'less 10 % of a Compute Savings Plan',
    );
  });

  test('takes off no more than AWS offers at the most', () => {
    expect(cost('--lambda-savings 18')).toMatchObject({ code: 2 });
    expect(cost('--fargate-savings 53')).toMatchObject({ code: 2 });
  });
});
