/** Whether alarms reach an address, and which are on now. Sources: docs.aws.amazon.com SNS, API_ListSubscriptionsByTopic; CloudWatch, API_DescribeAlarms. */
import { listAt, textAt } from '../../../infra/aws/read-xml.ts';
import { type Finding, failed, ok, type StackCheck, type StackContext, warning } from '../check.ts';

/** Of one call of DescribeAlarms. */
const alarmsOfCall = 100;

export const subscriptions: StackCheck = {
  id: 'alarm-mail',
  title: 'Alarm mail',
  of: 'stack',
  about: 'Alarms and alerts of budgets reach an address, which has confirmed that it wants them.',
  needs: ['sns:ListSubscriptionsByTopic', 'cloudformation:ListStackResources'],
  async run(context) {
    const topics = await idsOf(context, 'AWS::SNS::Topic');
    if (topics.length === 0)
      return [warning('no address gets alarms.', 'Deploy with -c alarmEmail=<address>.')];
    const findings = await Promise.all(topics.map((topic) => checkTopic(context, topic)));
    return findings.flat();
  },
};

async function checkTopic({ aws }: StackContext, topic: string): Promise<readonly Finding[]> {
  const answer = await aws.query('sns', 'ListSubscriptionsByTopic', { TopicArn: topic });
  const all = listAt(answer, 'Subscriptions');
  const name = topic.split(':').at(-1);
  if (all.length === 0)
    return [warning(`no address is subscribed to ${name}.`, 'Deploy again with -c alarmEmail=<address>.')];
  return all.map((one) => {
    const endpoint = textAt(one, 'Endpoint');
    if (textAt(one, 'SubscriptionArn') !== 'PendingConfirmation') return ok(`${endpoint} gets them.`);
    return warning(
      `${endpoint} has not confirmed its subscription, and gets nothing.`,
      'Open the mail of AWS Notifications and confirm. A confirmation that is over three days old must be sent again.',
    );
  });
}

export const alarmStates: StackCheck = {
  id: 'alarms',
  title: 'Alarms',
  of: 'stack',
  about: 'No alarm of the stack is on.',
  needs: ['cloudwatch:DescribeAlarms', 'cloudformation:ListStackResources'],
  async run(context) {
    const names = await idsOf(context, 'AWS::CloudWatch::Alarm');
    if (names.length === 0)
      return [warning('the stack has no alarms.', 'Deploy with -c alarmEmail=<address>.')];
    const active = await activeOf(context, names);
    if (active.length === 0) return [ok(`none of ${names.length} is on.`)];
    return [
      failed(
        `on: ${active.join(', ')}.`,
        'The page of each alarm in docs/operate/alarms.md says what to do.',
      ),
    ];
  },
};

async function activeOf({ aws }: StackContext, names: readonly string[]): Promise<readonly string[]> {
  const active: string[] = [];
  for (let start = 0; start < names.length; start += alarmsOfCall) {
    const asked = names.slice(start, start + alarmsOfCall);
    const members = asked.map((name, index) => [`AlarmNames.member.${index + 1}`, name]);
    const fields = { MaxRecords: `${alarmsOfCall}`, StateValue: 'ALARM', ...Object.fromEntries(members) };
    const answer = await aws.query('monitoring', 'DescribeAlarms', fields);
    active.push(...listAt(answer, 'MetricAlarms').map((alarm) => textAt(alarm, 'AlarmName')));
  }
  return active;
}

async function idsOf({ gateway }: StackContext, type: string): Promise<readonly string[]> {
  const resources = await gateway.resources();
  return resources.filter((one) => one.type === type).map(({ physicalId }) => physicalId);
}
