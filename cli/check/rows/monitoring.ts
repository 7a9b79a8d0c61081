/** Whether sums follow the ledger, alarms reach someone, and logs are kept. */
import { listAt, textAt } from '../../../infra/aws/read-xml.ts';
import { hourMs, minuteMs } from '../../../lib/core/time.ts';
import {
  type Finding,
  failed,
  NotChecked,
  ok,
  type StackCheck,
  type StackContext,
  warning,
} from '../check.ts';

/** The stream keeps a change for 24 hours, and the aggregator gives one up after 20. */
const late = { warningMs: 5 * minuteMs, failedMs: hourMs };

/** Sums and limits follow the ledger within minutes: its changes reach the aggregator, and none was given up. */
export const aggregator: StackCheck = {
  id: 'aggregator',
  title: 'Aggregator',
  needs: [
    'cloudwatch:GetMetricStatistics',
    'cloudformation:ListStackResources',
    'lambda:GetEventSourceMapping',
  ],
  async run(context) {
    const resources = await context.gateway.resources();
    const idOf = (type: string, logicalId: RegExp) =>
      resources.find((one) => one.type === type && logicalId.test(one.logicalId))?.physicalId;
    const name = idOf('AWS::Lambda::Function', /^AggregatorFunction/);
    const queue = idOf('AWS::SQS::Queue', /^AggregatorFailed/)
      ?.split('/')
      .at(-1);
    if (!name) throw new NotChecked('not checked: the stack has no aggregator.', 'Deploy the gateway again.');
    const age = await highest(context, 'AWS/Lambda', 'IteratorAge', 'FunctionName', name);
    const failures = queue
      ? await highest(context, 'AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'QueueName', queue)
      : 0;
    const mapping = idOf('AWS::Lambda::EventSourceMapping', /^AggregatorStream/);
    const findings = [(await stopped(context, mapping)) ?? describeAge(age)];
    if (failures === undefined || failures === 0) return findings;
    const remedy = 'Read its log for the reason, then run: npm run gateway -- usage recompute.';
    return [...findings, failed(`${failures} batches of changes were given up (queue ${queue}).`, remedy)];
  },
};

/** Undefined where the mapping invokes the aggregator. Source: docs.aws.amazon.com Lambda, API_GetEventSourceMapping. */
async function stopped({ aws }: StackContext, id: string | undefined) {
  const remedy = 'Deploy the gateway again. Its changes wait in the stream of the table for 24 hours.';
  if (id === undefined) return failed('the stack has no event source mapping for it.', remedy);
  const { State, LastProcessingResult } = await aws.get('lambda', `/2015-03-31/event-source-mappings/${id}`);
  if (State === 'Disabled' || State === 'Disabling')
    return failed(
      `is not invoked: its event source mapping is ${State}.`,
      `Run: aws lambda update-event-source-mapping --uuid ${id} --enabled`,
    );
  // `OK`, `No records processed`, or `PROBLEM: …` with the reason.
  const result = String(LastProcessingResult ?? '');
  return /^PROBLEM/i.test(result) ? failed(`is not invoked as it should be: ${result}.`, remedy) : undefined;
}

function describeAge(age: number | undefined) {
  if (age === undefined) return ok('there was nothing to add up in the last hour.');
  const text = `was at most ${Math.ceil(age / 1_000)} s behind in the last hour.`;
  const remedy =
    'Read its log for errors, and look for throttles: reservedConcurrency=aggregate:<n> keeps some for it.';
  if (age >= late.failedMs) return failed(text, remedy);
  return age >= late.warningMs ? warning(text, remedy) : ok(text);
}

/** In the last hour; undefined if nothing was measured. */
async function highest(
  { aws }: StackContext,
  namespace: string,
  metric: string,
  dimension: string,
  value: string,
): Promise<number | undefined> {
  const now = Date.now();
  const time = (ms: number) => new Date(ms).toISOString();
  const answer = await aws.query('monitoring', 'GetMetricStatistics', {
    Namespace: namespace,
    MetricName: metric,
    'Dimensions.member.1.Name': dimension,
    'Dimensions.member.1.Value': value,
    StartTime: time(now - hourMs),
    EndTime: time(now),
    Period: '300',
    'Statistics.member.1': 'Maximum',
  });
  const values = listAt(answer, 'Datapoints').map((point) => Number(textAt(point, 'Maximum')));
  return values.length === 0 ? undefined : Math.max(...values);
}

/** Of one call of DescribeAlarms. */
const alarmsOfCall = 100;

/** Alarms and alerts of budgets reach an address, which has confirmed that it wants them. */
export const subscriptions: StackCheck = {
  id: 'alarm-mail',
  title: 'Alarm mail',
  needs: ['sns:ListSubscriptionsByTopic', 'cloudformation:ListStackResources'],
  async run(context) {
    const topics = await idsOf(context, 'AWS::SNS::Topic');
    if (topics.length === 0)
      return warning('no address gets alarms.', 'Deploy with -c alarmEmail=<address>.');
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

/** No alarm of the stack is on. */
export const alarmStates: StackCheck = {
  id: 'alarms',
  title: 'Alarms',
  needs: ['cloudwatch:DescribeAlarms', 'cloudformation:ListStackResources'],
  async run(context) {
    const names = await idsOf(context, 'AWS::CloudWatch::Alarm');
    if (names.length === 0)
      return warning('the stack has no alarms.', 'Deploy with -c alarmEmail=<address>.');
    const active = await activeOf(context, names);
    if (active.length === 0) return ok(`none of ${names.length} is on.`);
    return failed(
      `on: ${active.join(', ')}.`,
      'The page of each alarm in docs/operate/alarms.md says what to do.',
    );
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

/** Groups of a page, and more pages than a stack can have. */
const page = { size: 50, max: 20 };

/** The log groups of the stack exist, and end their lines at some time. */
export const logGroups: StackCheck = {
  id: 'log-groups',
  title: 'Log groups',
  needs: ['logs:DescribeLogGroups', 'cloudformation:ListStackResources'],
  async run(context) {
    const resources = await context.gateway.resources();
    const names = resources.filter(({ type }) => type === 'AWS::Logs::LogGroup').map((one) => one.physicalId);
    const found = await describeGroups(context, sharedPrefix(names));
    const missing = names.filter((name) => !found.has(name));
    if (missing.length > 0)
      return failed(
        `missing: ${missing.join(', ')}.`,
        'Deploy the gateway again: what functions log is lost.',
      );
    const endless = names.filter((name) => found.get(name) === undefined);
    if (endless.length === 0) return ok(`${names.length}, all of which end their lines at some time.`);
    return warning(
      `kept without a limit: ${endless.join(', ')}.`,
      'Set a retention, or pay for every line as long as it is kept.',
    );
  },
};

/** Their days of retention by name; undefined for those without an end. */
async function describeGroups({ aws }: StackContext, prefix: string) {
  const groups = new Map<string, number | undefined>();
  let token: unknown;
  for (let count = 0; count < page.max; count += 1) {
    const answer = await aws.json('logs')('Logs_20140328.DescribeLogGroups', {
      limit: page.size,
      ...(prefix && { logGroupNamePrefix: prefix }),
      ...(token !== undefined && { nextToken: token }),
    });
    const found = (answer.logGroups ?? []) as readonly { logGroupName: string; retentionInDays?: number }[];
    for (const { logGroupName, retentionInDays } of found) groups.set(logGroupName, retentionInDays);
    token = answer.nextToken;
    if (token === undefined) break;
  }
  return groups;
}

function sharedPrefix([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  while (others.some((name) => !name.startsWith(first.slice(0, length)))) length -= 1;
  return first.slice(0, length);
}
