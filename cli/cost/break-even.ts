/** At which traffic, or at which price, two hosts cost the same. */
import { maxTasks } from '../../infra/settings/groups/fargate.ts';
import { billOf, type Hosting } from './bill.ts';
import { tasksFor } from './fargate-tasks.ts';
import { divide, type Prices } from './prices.ts';
import type { Traffic } from './traffic.ts';

/** Of the options, in thousandths of a request per second. */
const maxThousandths = 1_000_000_000;

/** The least number from `low` to `high` for which the condition holds, if it holds for `high` and from some number on. */
function least(low: number, high: number, holds: (value: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * The least requests per second, to a thousandth, at which Fargate costs no more than functions for events; undefined if there is
 * none that one load balancer can serve. What else the traffic is stays the same. With each further task the bill of Fargate takes
 * a step, and between two steps it grows slower than that of functions or stays above it: so each number of tasks is searched alone.
 */
export function breakEvenRps(traffic: Traffic, prices: Prices, hosting: Hosting): number | undefined {
  const at = (thousandths: number): Traffic => ({ ...traffic, rps: thousandths / 1_000 });
  const tasksAt = (thousandths: number) => tasksFor(at(thousandths), hosting.time);
  const isCheaper = (thousandths: number) => {
    const of = (compute: Hosting['compute']) =>
      billOf(at(thousandths), prices, { ...hosting, compute }).total.month;
    return of('fargate') <= of('event');
  };
  let low = 1;
  for (let tasks = tasksAt(low); tasks <= maxTasks; tasks = tasksAt(low)) {
    const isLast = tasksAt(maxThousandths) === tasks;
    const high = isLast ? maxThousandths : least(low, maxThousandths, (value) => tasksAt(value) > tasks) - 1;
    if (isCheaper(high)) return least(low, high, isCheaper) / 1_000;
    if (isLast) return undefined;
    low = high + 1;
  }
  return undefined;
}

/**
 * What a vCPU-second of a Web Function may cost, in nano-dollars, so that they cost as much as another host; undefined if they cost
 * more at any price. Of what has no price it takes nothing into account.
 */
export function breakEvenVcpuSecond(
  traffic: Traffic,
  prices: Prices,
  hosting: Hosting,
  other: 'event' | 'fargate',
): bigint | undefined {
  const { webVcpuSeconds: _, ...webPrices } = hosting.webPrices;
  const web = billOf(traffic, prices, { ...hosting, webPrices, compute: 'web' });
  const left = billOf(traffic, prices, { ...hosting, compute: other }).total.month - web.total.month;
  const seconds = web.unpriced.find(({ price }) => price === 'webVcpuSeconds')?.millionths;
  if (seconds === undefined || left < 0n) return undefined;
  return divide(left * 1_000_000n, seconds);
}
