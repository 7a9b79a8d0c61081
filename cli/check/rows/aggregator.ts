/**
 * How far the sums are behind the ledger, and whether batches were given up. Sources: docs.aws.amazon.com Lambda, monitoring-metrics-types
 * (IteratorAge), SQS, sqs-available-cloudwatch-metrics, CloudWatch, API_GetMetricStatistics.
 */

import { listAt, textAt } from '../../../infra/aws/read-xml.ts';
import { hourMs, minuteMs } from '../../../lib/core/time.ts';
import { failed, NotChecked, ok, type StackCheck, type StackContext, warning } from '../check.ts';

/** The stream keeps a change for 24 hours, and the aggregator gives one up after 20. */
const late = { warningMs: 5 * minuteMs, failedMs: hourMs };

export const aggregator: StackCheck = {
  id: 'aggregator',
  title: 'Aggregator',
  of: 'stack',
  about:
    'Sums and limits follow the ledger within minutes: its changes reach the aggregator, and none was given up.',
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
