/** Alarms about the providers of the models. */
import { linesOf, providerFailures } from './queries.ts';
import type { AlarmRow } from './row.ts';

const everywhere = ['event', 'web', 'fargate'] as const;

export const providerAlarms: readonly AlarmRow[] = [
  {
    name: 'ProviderFailures',
    title: 'Providers fail',
    hosts: everywhere,
    watch: { share: 'ProviderFailures', of: 'ModelRequests', least: 20 },
    threshold: 5,
    unit: 'percent',
    minutes: 5,
    late: 3,
    periods: 3,
    means:
      'More than 5 % of the requests ended with an error of their provider, after retries and fallbacks: refused, overloaded, too slow or broken off.',
    affects: 'Callers of the models that only this provider serves. Others were served by a fallback.',
    steps: [
      'Run the query: it shows the provider, the model and its status.',
      'Look at the status page of the provider.',
      '`upstream_rate_limited` and `upstream_quota`: ask the provider for more, or add a deployment of another provider to the model.',
      'Take the place out while it lasts: `npm run gateway -- catalog set-status`.',
    ],
    query: providerFailures,
  },
  {
    name: 'RefusedCredentials',
    title: "A provider's key is refused",
    hosts: everywhere,
    watch: { all: 'RefusedCredentials' },
    threshold: 1,
    isAtLeast: true,
    unit: 'count',
    minutes: 5,
    late: 1,
    periods: 1,
    means: 'A provider did not accept the key of the gateway, or the gateway could not read it.',
    affects: 'Every caller of the models of this provider, until it is set right.',
    steps: [
      'Run the query: status 401 or 403 means that the provider refused it; none means that it could not be read.',
      'Refused: set a valid key with `npm run gateway -- providers set`. It counts within five minutes.',
      'Bedrock with status 403: the account has no access to the model, or may not subscribe to it.',
      'Not read: the line names the error of the parameter store.',
    ],
    query: linesOf('request', 'provider', 'model', 'error', 'upstream_status').replace(
      "filter message = 'request'",
      "filter message = 'request' and error = 'upstream_credentials'",
    ),
  },
];
