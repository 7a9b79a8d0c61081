/** Puts alerts as events on the default event bus of the account, where rules of the operator take them further. */
import type { SendAlert } from '../../core/ports/alerts.ts';
import type { AwsCall } from '../../core/ports/aws.ts';
import { bodyOf } from './body.ts';

/** What rules match events by. */
export const alertSource = 'model-gateway';
export const alertDetailType = 'Limit Alert';
export const providerDetailType = 'Provider Alert';

/** `events`: the calls of EventBridge. */
export function createSendEvent(events: AwsCall): SendAlert {
  return async (notice) => {
    const { data } = bodyOf(notice);
    // What is mailed of it.
    const amounts = 'used_usd' in data ? ` Used: ${data.used_usd} of ${data.limit_usd} USD.` : '';
    const { FailedEntryCount: failed } = await events('AWSEvents.PutEvents', {
      Entries: [
        {
          Source: alertSource,
          DetailType: 'provider' in notice ? providerDetailType : alertDetailType,
          Time: Math.floor(notice.at / 1000),
          Detail: JSON.stringify({ id: notice.id, ...data, text: data.message + amounts }),
        },
      ],
    });
    if (failed !== 0) throw new Error('The event bus did not take the event.');
  };
}
