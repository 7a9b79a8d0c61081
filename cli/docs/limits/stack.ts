/** Bounds of settings of the stack, and of what it lets in. */

import { maxBodyWithoutKey } from '../../../infra/constructs/api/web-acl.ts';
import { wafRate } from '../../../infra/settings/groups/edge.ts';
import { maxTasks } from '../../../infra/settings/groups/fargate.ts';
import { openThrottleRate, throttleRate } from '../../../infra/settings/groups/traffic.ts';
import {
  maxWebConcurrency,
  maxWebEnvironments,
  maxWebStackName,
} from '../../../infra/settings/groups/web.ts';
import type { LimitArea } from './row.ts';

const settings = 'infra/settings/groups/traffic.ts';
const webSettings = 'infra/settings/groups/web.ts';

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
      file: 'infra/settings/groups/fargate.ts',
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
      file: 'infra/settings/groups/edge.ts',
      unit: 'count',
      onExceed: '403',
    },
    {
      what: 'Body without an API key, with `waf=true`',
      limit: { maxBodyWithoutKey },
      file: 'infra/constructs/api/web-acl.ts',
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
