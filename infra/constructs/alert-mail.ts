/**
 * An example of what a rule can do with alerts about budgets: it mails them. AWS asks the address for its consent first. Alerts are
 * events on the default bus also without it, for rules of your own.
 */
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { alertDetailType, alertSource } from '../../lib/metering/alerts/event-bus.ts';

/** EventBridge puts the fields of the event in. */
const mail = [
  EventField.fromPath('$.detail.message'),
  `Used: ${EventField.fromPath('$.detail.used_usd')} of ${EventField.fromPath('$.detail.limit_usd')} USD.`,
].join(' ');

export class AlertMail extends Construct {
  constructor(scope: Construct, id: string, { address }: { readonly address: string }) {
    super(scope, id);
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(address));
    new Rule(this, 'Rule', {
      description: 'Mails alerts about budgets that are nearly used up',
      eventPattern: { source: [alertSource], detailType: [alertDetailType] },
      targets: [new SnsTopic(topic, { message: RuleTargetInput.fromText(mail) })],
    });
  }
}
