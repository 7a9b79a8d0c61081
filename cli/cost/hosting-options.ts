/** The options that compare hosts. */

import { computes } from '../../infra/settings/groups/computes.ts';
import { type CommandOption, UsageError } from '../command.ts';
import type { Hosting } from './bill.ts';
import { type NumberOption, readNumber, shown } from './number-option.ts';
import type { Price } from './prices.ts';
import { measuredTime } from './processor-time.ts';
import type { WebPriceName } from './uses.ts';

const times = {
  'cpu-request': {
    value: '<µs>',
    description: 'Processor time of a request on Web Functions and Fargate, measured without TLS',
    defaultValue: measuredTime.request,
    min: 1,
    max: 10_000_000,
  },
  'cpu-chunk': {
    value: '<µs>',
    description: 'Processor time of each chunk of a stream, there',
    defaultValue: measuredTime.chunk,
    min: 0,
    max: 1_000_000,
  },
} as const satisfies Readonly<Record<string, NumberOption>>;

/** AWS publishes them where this project could not read them, so that there is no default. */
const webPrices = {
  'web-vcpu-second': ['webVcpuSeconds', '1', 'Price of a vCPU-second of Web Functions'],
  'web-gb-second': ['webGigabyteSeconds', '1', 'Price of a GB-second of memory of Web Functions'],
  'web-requests': ['webRequests', '1000000', 'Price of a million requests to Web Functions'],
} as const satisfies Readonly<Record<string, readonly [WebPriceName, per: string, description: string]>>;

export const hostingOptions: Readonly<Record<string, CommandOption>> = {
  compute: { value: computes.join('|'), description: 'Host whose bill is shown in full (default: event)' },
  ...Object.fromEntries(Object.entries(times).map(([name, option]) => [name, shown(option)])),
  ...Object.fromEntries(
    Object.entries(webPrices).map(([name, [, , description]]) => [
      name,
      { value: '<USD>', description: `${description} (no default)` },
    ]),
  ),
};

type Options = Readonly<Record<string, string | undefined>>;

/** Throws UsageError. */
export function readHosting(options: Options): Hosting {
  const compute = computes.find((one) => one === (options.compute ?? 'event'));
  if (!compute)
    throw new UsageError(`--compute must be one of ${computes.join(', ')}, not ${options.compute}.`);
  const given = Object.entries(webPrices).flatMap(([name, [price, per]]) => {
    const text = options[name];
    return text === undefined ? [] : [[price, givenPrice(name, per, text)] as const];
  });
  return {
    compute,
    time: {
      request: readNumber('cpu-request', times['cpu-request'], options['cpu-request']),
      chunk: readNumber('cpu-chunk', times['cpu-chunk'], options['cpu-chunk']),
    },
    webPrices: Object.fromEntries(given),
  };
}

function givenPrice(name: string, per: string, dollars: string): Price {
  if (!/^\d{1,6}(\.\d{1,12})?$/.test(dollars))
    throw new UsageError(
      `--${name} must be an amount with at most 12 decimals below 1000000, not ${dollars}.`,
    );
  return { per, unit: name, tiers: [{ dollars }], source: 'given' };
}
