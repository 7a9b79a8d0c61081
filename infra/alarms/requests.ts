/** Alarms about what callers get of the gateway and of the providers, and about the dashboard. */
import {
  failedAdminRequests,
  failedGuards,
  failedRequests,
  internalErrors,
  interruptedStreams,
  linesOf,
  otherErrors,
  providerFailures,
  slowStreams,
} from './queries.ts';
import { type AlarmRow, atLeast, inPeriods, once, percentIn } from './row.ts';

export const requestAlarms: readonly AlarmRow[] = [
  {
    name: 'ServerErrors',
    title: 'Many answers are server errors',
    watch: { share: 'serverErrors', of: 'requests', least: 20 },
    ...percentIn(2, 1),
    means:
      'More than 1 % of the answers had a status of 500 or more, among at least 20 requests in five minutes, or half of at least five.',
    affects: 'Callers whose requests failed. SDKs repeat most of them, so some were only slower.',
    steps: [
      'Run the query: it names the causes by provider.',
      'Most are a provider (`upstream_…`): look at its status page, and set its deployments to another status in the catalog (`npm run gateway -- catalog set-status`).',
      '`internal` is a fault of the gateway: if it began with a deployment, deploy the version before.',
      'No lines at all: Lambda refused or ended the functions; see the alarms on throttled requests and on functions that fail.',
    ],
    query: failedRequests,
  },
  {
    name: 'SlowStreams',
    title: 'Streams begin late',
    watch: { share: 'SlowStreams', of: 'StreamedRequests', least: 20 },
    ...percentIn(3, 1),
    means:
      'More than 1 % of the streams waited over 30 seconds for their first piece: their 99th percentile is above that. The length of an answer does not count.',
    affects: 'People who wait for an answer. Clients with a short timeout give up.',
    steps: [
      'Run the query: it shows the models and providers that are slow.',
      'One provider: set its deployments last in the catalog, or shorten the time that a deployment may take to begin.',
      'All of them: look for cold starts and throttles on the dashboard.',
      'Models that think for long begin late by nature: raise the threshold (`alarmThresholds`).',
    ],
    query: slowStreams,
  },
  {
    name: 'InterruptedStreams',
    title: 'Streams break off',
    watch: { share: 'InterruptedStreams', of: 'StreamedRequests', least: 20 },
    ...percentIn(2, 1),
    means:
      'More than 1 % of the streams began with status 200 and ended with an error. No count of statuses shows these.',
    affects: 'Callers who got a part of an answer and an error. What was used is billed.',
    steps: [
      'Run the query: it shows the provider, the model and the error.',
      '`upstream_cut` and `upstream_timeout`: the provider ended or stopped its answers; set its deployments last in the catalog while it lasts.',
      '`deadline_exceeded`: answers take longer than 15 minutes; ask for shorter ones.',
    ],
    query: interruptedStreams,
  },
  {
    name: 'InternalErrors',
    title: 'Faults of the gateway itself',
    watch: { all: 'InternalErrors' },
    ...once(5),
    means: 'A request failed by a fault of the gateway, or because it could not use one of its tables.',
    affects: 'Callers who got a 500 with the code `internal`.',
    steps: [
      'Run the query: the line names the service of AWS that failed, or where in the code.',
      'Denied: the role lacks a permission, or the table is another one than its policy names; deploy again.',
      'After a deployment: deploy the version before.',
      'Else report it with the stack of the line, which holds nothing of the request.',
    ],
    query: internalErrors,
  },
  {
    name: 'OtherErrors',
    title: 'Other errors in the logs',
    watch: { all: 'OtherErrors' },
    ...once(15),
    means:
      'Something beside the requests failed, and no other alarm stands for it: an alert, a tenant of an export, a change of the ledger.',
    affects: 'Not requests. What failed is named in the line.',
    steps: [
      'Run the query: the message names what failed.',
      'Alerts that are not delivered: check the address of the tenant (`npm run gateway -- tenants list`).',
      'A tenant that was not exported: invoke the export of that day again.',
    ],
    query: otherErrors,
  },
  {
    name: 'UnpricedRequests',
    title: 'Requests without a known cost',
    watch: { all: 'UnpricedRequests' },
    ...once(15),
    means: 'A request was served, and its cost is unknown: a price is missing, or a provider did not count.',
    affects: 'The bill of a tenant lacks the request until it is priced. Budgets do not see it.',
    steps: [
      'Run the query: `no_price` needs a price, `uncounted` cannot be counted any more.',
      'Add the price to the catalog: `npm run gateway -- catalog set-price`.',
      'Price what was used before: `npm run gateway -- usage recompute`.',
    ],
    query: linesOf('usage unpriced', 'request_id', 'model', 'provider', 'reason'),
  },
  {
    name: 'DifferentCosts',
    title: 'A provider states another cost',
    watch: { all: 'DifferentCosts' },
    ...once(60),
    means:
      'A provider stated another cost of an answer than the gateway computed: a price of the catalog is wrong.',
    affects: 'Tenants that use the model: their cost and charge are wrong by the difference.',
    steps: [
      'Run the query: it has both amounts, in nano-dollars.',
      'Compare with the price page of the provider, and correct the price: `npm run gateway -- catalog set-price`.',
      'Compute what was used before again: `npm run gateway -- usage recompute`.',
    ],
    query: linesOf('usage cost differs', 'model', 'provider', 'stated', 'computed'),
  },
  {
    name: 'FailedGuards',
    title: 'Guardrails fail',
    watch: { all: 'FailedGuards' },
    ...atLeast(5, 2, 3, 5),
    means:
      'Detectors of guardrails did not answer in time, or refused: Bedrock, a moderation, or the webhook of an operator.',
    affects:
      'Tenants with the rule. Where it is closed, their requests are a 503; where it is open, they pass without it.',
    steps: [
      'Run the query: it names the policies and their rules.',
      'Bedrock refuses too many calls: ask for a higher quota of ApplyGuardrail in its region, or look at less text.',
      'A role that is not allowed, a key that is not accepted, or a webhook that is gone: the detector has to be repaired.',
      'Until then, a new version of the policy may leave the rule out, or make it open.',
    ],
    query: failedGuards,
  },
  {
    name: 'ProviderFailures',
    title: 'Providers fail',
    watch: { share: 'ProviderFailures', of: 'ModelRequests', least: 20 },
    ...percentIn(3, 5),
    means:
      'More than 5 % of the requests ended with an error of their provider, after retries and fallbacks: refused, overloaded, too slow or broken off.',
    affects: 'Callers of the models that only this provider serves. Others were served by a fallback.',
    steps: [
      'Run the query: it shows the provider, the model and its status.',
      'Look at the status page of the provider.',
      '`upstream_rate_limited` and `upstream_quota`: ask the provider for more, or add a deployment of another provider to the model.',
      'Disable the deployment while it lasts: `npm run gateway -- catalog set-status`.',
    ],
    query: providerFailures,
  },
  {
    name: 'RefusedCredentials',
    title: "A provider's key is refused",
    watch: { all: 'RefusedCredentials' },
    ...once(5),
    means: 'A provider did not accept the key of the gateway, or the gateway could not read it.',
    affects: 'Every caller of the models of this provider, until it is set right.',
    steps: [
      'Run the query: status 401 or 403 means that the provider refused it; none means that it could not be read.',
      'Refused: set a valid key with `npm run gateway -- providers set`. It takes effect within five minutes.',
      'Bedrock with status 403: the account has no access to the model, or may not subscribe to it.',
      'Not read: the line names the error of the parameter store.',
    ],
    query: linesOf('request', 'provider', 'model', 'error', 'upstream_status').replace(
      "filter message = 'request'",
      "filter message = 'request' and error = 'upstream_credentials'",
    ),
  },
  {
    name: 'RefusedOwnKeys',
    title: "A tenant's own key is refused",
    watch: { all: 'RefusedOwnKeys' },
    ...atLeast(1, 3, 3, 5),
    means:
      'For a quarter of an hour, requests have failed because a provider refused a key that is a tenant’s own.',
    affects: 'That tenant alone: nothing is called in place of its key unless it allows that.',
    steps: [
      'Run the query: it shows the tenants and their providers.',
      'Tell the tenant: it tests the key, and replaces it ([own keys](../own-keys.md)).',
    ],
    query: linesOf('request', 'tenant', 'provider', 'model', 'error', 'upstream_status').replace(
      "filter message = 'request'",
      "filter message = 'request' and error = 'own_provider_key'",
    ),
  },
];

export const adminAlarms: readonly AlarmRow[] = [
  {
    name: 'AdminServerErrors',
    title: 'The dashboard fails',
    isOf: 'dashboard',
    watch: { all: 'adminServerErrors' },
    threshold: 5,
    isAtLeast: true,
    // A page makes few requests, so a share of them would say little.
    unit: 'count',
    ...inPeriods(1, 1, 15),
    means: 'The admin API gave at least five answers with a status of 500 or more in fifteen minutes.',
    affects:
      'People who use the dashboard, and the command line with `--url`. No request of a caller fails by this.',
    steps: [
      'Run the query on the logs of the functions of the admin stack: it names the operation and the error.',
      'No lines at all: Lambda refused or ended the functions; see the log of Lambda in the same groups.',
      'After a deployment: deploy the version before. Until then the command line works without `--url`.',
    ],
    query: failedAdminRequests,
  },
];
