/** Topics. Source: docs.aws.amazon.com SNS, API_ListSubscriptionsByTopic (its error for a denial is AuthorizationError). */
import { AwsRefusal, type FakeService } from '../service.ts';

export interface FakeSubscription {
  readonly endpoint: string;
  readonly isConfirmed: boolean;
}

/** Subscriptions by the ARN of a topic. */
export const sns = (topics: Readonly<Record<string, readonly FakeSubscription[]>> = {}): FakeService => ({
  name: 'sns',
  protocol: 'query',
  namespace: 'http://sns.amazonaws.com/doc/2010-03-31/',
  codes: { denied: 'AuthorizationError' },
  actions: {
    ListSubscriptionsByTopic({ TopicArn }) {
      const found = topics[String(TopicArn)];
      if (!found) throw new AwsRefusal('NotFound', 'Topic does not exist', 404);
      return {
        Subscriptions: found.map(({ endpoint, isConfirmed }, index) => ({
          TopicArn,
          Protocol: 'email',
          Endpoint: endpoint,
          SubscriptionArn: isConfirmed ? `${TopicArn}:${index}` : 'PendingConfirmation',
        })),
      };
    },
  },
});
