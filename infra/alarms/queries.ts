/** Queries of CloudWatch Logs Insights over our own log lines. Each names fields of a line as it is written. */

const query = (...commands: readonly string[]) => commands.join('\n| ');

const isRequest = "filter message = 'request'";

/** Requests that failed by the gateway's or the provider's fault, by cause. */
export const failedRequests = query(
  isRequest,
  "filter level = 'ERROR'",
  'stats count(*) as requests by operation, provider, error, upstream_status',
  'sort requests desc',
);

/** The same of the admin API, whose requests have no provider. */
export const failedAdminRequests = query(
  isRequest,
  "filter level = 'ERROR'",
  'stats count(*) as requests by operation, error',
  'sort requests desc',
);

export const interruptedStreams = query(
  isRequest,
  'filter status = 200 and ispresent(error)',
  'stats count(*) as streams by provider, model, error',
  'sort streams desc',
);

export const slowStreams = query(
  isRequest,
  'filter ispresent(streamed)',
  'stats count(*) as streams, pct(first_byte_ms, 50) as p50, pct(first_byte_ms, 99) as p99 by provider, model',
  'sort p99 desc',
);

export const internalErrors = query(
  isRequest,
  "filter error = 'internal'",
  'fields @timestamp, request_id, operation, stack.0, stack.1',
  'sort @timestamp desc',
  'limit 50',
);

export const providerFailures = query(
  isRequest,
  'filter error like /^upstream_/',
  'stats count(*) as requests by provider, model, error, upstream_status',
  'sort requests desc',
);

/** Lines with this message. */
export const linesOf = (message: string, ...fields: readonly string[]) =>
  query(
    `filter message = '${message}'`,
    `fields ${['@timestamp', ...fields].join(', ')}`,
    'sort @timestamp desc',
    'limit 50',
  );

export const failedGuards = query(
  isRequest,
  'filter ispresent(failed_guards)',
  'stats count(*) as requests by tenant, failed_guards',
  'sort requests desc',
);

export const otherErrors = query(
  "filter level = 'ERROR' and message != 'request'",
  'stats count(*) as lines by message, reason',
  'sort lines desc',
);

export const tokens = query(
  isRequest,
  'stats sum(prompt_tokens) as input, sum(cached_tokens) as cached, sum(completion_tokens) as output by provider, model',
  'sort output desc',
);

export const startsOfFunctions = query(
  isRequest,
  'filter ispresent(cold_start)',
  'stats count(*) as starts by operation',
);
