/** Bounds of log lines, of what errors quote, and of checks of answers. */

import { maxMetricModelNames } from '../../../infra/settings/groups/metrics.ts';
import { maxCallerId } from '../../../lib/http/request/caller-ids.ts';
import { maxMetricModels } from '../../../lib/metering/request-metrics.ts';
import { maxCheckMs, maxCheckWork } from '../../../lib/pipeline/generation/json/check-json.ts';
import { maxRetryAfterMs } from '../../../lib/protocols/failure.ts';
import { maxNameLength, readLimit, shownLimit } from '../../../lib/protocols/provider-message.ts';
import { maxLogItems, maxLogLine, maxLogText } from '../../../lib/runtime/log-bounds.ts';
import type { LimitArea } from './row.ts';

export const logLimits: LimitArea = {
  title: 'Logs, errors and checks',
  rows: [
    {
      what: 'Log line',
      limit: { maxLogLine },
      file: 'lib/runtime/log-bounds.ts',
      unit: 'bytes',
      onExceed: 'fields are left out, and named in `left_out`',
    },
    {
      what: 'Text in a log line',
      limit: { maxLogText },
      file: 'lib/runtime/log-bounds.ts',
      unit: 'characters',
      onExceed: 'cut',
    },
    {
      what: 'Entries of a list in a log line',
      limit: { maxLogItems },
      file: 'lib/runtime/log-bounds.ts',
      unit: 'count',
      onExceed: 'cut',
    },
    {
      what: 'Id of a user or session in the log, from `x-gateway-user-id`, and `x-gateway-session-id` or `x-claude-code-session-id`',
      limit: { maxCallerId },
      file: 'lib/http/request/caller-ids.ts',
      unit: 'characters',
      onExceed: 'cut',
    },
    {
      what: 'Models that the metrics of requests count by name, `metricModels`',
      limit: { maxMetricModels },
      file: 'lib/metering/request-metrics.ts',
      unit: 'count',
      onExceed: 'the deployment is refused',
    },
    {
      what: 'Their names together',
      limit: { maxMetricModelNames },
      file: 'infra/settings/groups/metrics.ts',
      unit: 'characters',
      onExceed: 'the deployment is refused',
    },
    {
      what: "A provider's message in an error",
      limit: { shownLimit },
      file: 'lib/protocols/provider-message.ts',
      unit: 'characters',
      onExceed: 'cut',
    },
    {
      what: "Part of a provider's message that is read",
      limit: { readLimit },
      file: 'lib/protocols/provider-message.ts',
      unit: 'characters',
      onExceed: 'cut',
    },
    {
      what: 'Field or code that a provider names',
      limit: { maxNameLength },
      file: 'lib/protocols/provider-message.ts',
      unit: 'characters',
      onExceed: 'left out',
    },
    {
      what: 'Wait that a provider asks for',
      limit: { maxRetryAfterMs },
      file: 'lib/protocols/failure.ts',
      unit: 'ms',
      onExceed: 'shortened',
    },
    {
      what: "Time of a check whether an answer fits the caller's schema",
      limit: { maxCheckMs },
      file: 'lib/pipeline/generation/json/check-json.ts',
      unit: 'ms',
      onExceed: 'the answer is given unchecked',
    },
    {
      what: 'Length of such a schema, multiplied by that of the answer',
      limit: { maxCheckWork },
      file: 'lib/pipeline/generation/json/check-json.ts',
      unit: 'count',
      onExceed: 'the answer is given unchecked',
    },
  ],
};
