/** One workload on every host: their bills, and where they cost the same. */
import { type Compute, computes } from '../../infra/settings/groups/computes.ts';
import { type Bill, billOf, type Hosting } from './bill.ts';
import { breakEvenRps, breakEvenVcpuSecond } from './break-even.ts';
import type { Prices } from './prices.ts';
import type { Traffic } from './traffic.ts';

export interface Comparison {
  readonly bills: Readonly<Record<Compute, Bill>>;
  /** Requests per second from which Fargate costs no more than functions for events. */
  readonly fargateFromRps: number | undefined;
  /** Nano-dollars of a vCPU-second below which Web Functions cost less than the other host. */
  readonly webBelow: Readonly<Record<'event' | 'fargate', bigint | undefined>>;
}

export function compare(traffic: Traffic, prices: Prices, hosting: Hosting): Comparison {
  const bills = computes.map(
    (compute) => [compute, billOf(traffic, prices, { ...hosting, compute })] as const,
  );
  const below = (other: 'event' | 'fargate') => breakEvenVcpuSecond(traffic, prices, hosting, other);
  return {
    bills: Object.fromEntries(bills) as Record<Compute, Bill>,
    fargateFromRps: breakEvenRps(traffic, prices, hosting),
    webBelow: { event: below('event'), fargate: below('fargate') },
  };
}
