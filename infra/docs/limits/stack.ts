/** Bounds of settings of the stack, and of what it lets in. */

import { maxBodyWithoutKey } from '../../constructs/web-acl.ts';
import { wafRate } from '../../settings/edge.ts';
import { maxTasks } from '../../settings/fargate.ts';
import { openThrottleRate, throttleRate } from '../../settings/traffic.ts';
import { maxWebConcurrency, maxWebEnvironments, maxWebStackName } from '../../settings/web.ts';
import type { LimitArea } from './row.ts';

const settings = 'infra/settings/traffic.ts';
const webSettings = 'infra/settings/web.ts';

export const stackLimits: LimitArea = {
  title: 'Stack',
  rows: [
    {
      what: 'Requests per second to the API in AWS, by its setting `throttleRate`, where no other is set',
      limit: { throttleRate },
      file: settings,
      unit: 'count',
      onExceed: '429, after a burst of `throttleBurst`',
    },
    {
      what: 'The same for an operation that needs no key, by its setting `openThrottleRate`',
      limit: { openThrottleRate },
      file: settings,
      unit: 'count',
      onExceed: '429, after a burst of `openThrottleBurst`',
    },
    {
      what: 'Tasks on Fargate, by the setting `maxTasks`',
      limit: { maxTasks },
      file: 'infra/settings/fargate.ts',
      unit: 'count',
      onExceed: 'it is not deployed',
    },
    {
      what: 'Environments of a Web Function (`webEnvironments`)',
      limit: { maxWebEnvironments },
      file: webSettings,
      unit: 'count',
      onExceed: 'not deployed',
    },
    {
      what: 'Requests that an environment of a Web Function serves at a time (`webConcurrency`)',
      limit: { maxWebConcurrency },
      file: webSettings,
      unit: 'count',
      onExceed: 'not deployed',
    },
    {
      what: 'Requests of one address in five minutes, with `waf=true` (`wafRate`)',
      limit: { wafRate },
      file: 'infra/settings/edge.ts',
      unit: 'count',
      onExceed: '403',
    },
    {
      what: 'Body without an API key, with `waf=true`',
      limit: { maxBodyWithoutKey },
      file: 'infra/constructs/web-acl.ts',
      unit: 'bytes',
      onExceed: '403',
    },
    {
      what: 'Name of a stack with Web Functions',
      limit: { maxWebStackName },
      file: webSettings,
      unit: 'characters',
      onExceed: 'not deployed',
    },
  ],
};
