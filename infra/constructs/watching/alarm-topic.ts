/**
 * The topic that alarms and alerts go to: one of the stack's with an address, or one of the operator's. AWS asks the
 * address for its consent first. Alerts are events on the default bus also without a topic, for rules of the operator's.
 */
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { alertDetailType, alertSource, providerDetailType } from '../../../lib/metering/alerts/event-bus.ts';
import type { AlarmSettings } from '../../settings/groups/alarms.ts';

/** EventBridge takes it from the event. */
const mail = EventField.fromPath('$.detail.text');

/** What publishes there. */
const publishers = ['cloudwatch.amazonaws.com', 'events.amazonaws.com'];

export class AlarmTopic extends Construct {
  readonly topic: ITopic;

  constructor(scope: Construct, id: string, { email, topicArn }: Pick<AlarmSettings, 'email' | 'topicArn'>) {
    super(scope, id);
    this.topic = topicArn ? Topic.fromTopicArn(this, 'Given', topicArn) : this.ownTopic(email);
    new Rule(this, 'Rule', {
      description: 'Sends alerts about budgets that are nearly used up, and about providers whose calls fail',
      eventPattern: { source: [alertSource], detailType: [alertDetailType, providerDetailType] },
      targets: [new SnsTopic(this.topic, { message: RuleTargetInput.fromText(mail) })],
    });
  }

  /**
   * Encrypted by a key of the topic's own: with that of AWS for SNS, whose policy names no other service, no alarm could publish.
   * Source: repost.aws/knowledge-center/cloudwatch-configure-alarm-sns.
   */
  private ownTopic(email: string): Topic {
    const key = new Key(this, 'Key', {
      description: 'Encrypts alarms of the model gateway',
      enableKeyRotation: true,
      // Messages are stored only until they are delivered.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const principals = publishers.map((name) => new ServicePrincipal(name));
    const conditions = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
    key.addToResourcePolicy(
      new PolicyStatement({
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
        principals,
        conditions,
      }),
    );
    const topic = new Topic(this, 'Topic', { enforceSSL: true, masterKey: key });
    topic.addToResourcePolicy(
      new PolicyStatement({ actions: ['sns:Publish'], resources: [topic.topicArn], principals, conditions }),
    );
    topic.addSubscription(new EmailSubscription(email));
    return topic;
  }
}
