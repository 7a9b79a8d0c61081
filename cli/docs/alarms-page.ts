/** The page `docs/operate/alarms.md`: what each alarm means, who is affected, how to see more and what to do. */

import { lines, slowStreamMs } from '../../infra/alarms/lines.ts';
import { type AlarmRow, awsMeasures, few, type Measure } from '../../infra/alarms/row.ts';
import { alarmRows, isCountedLine } from '../../infra/alarms/table.ts';
import { maxMetricModels, metricsBy, metricUnits } from '../../lib/metering/request-metrics.ts';
import { code, generated, page, table } from './markdown.ts';

const introduction = `\`npm run deploy -- -c alarmEmail=ops@example.com\` makes these alarms, and a topic that mails them and the gateway's [alerts](alerts.md). AWS asks the address
for its consent first: until the link in that mail is opened, nothing is mailed. Each alarm also reports when it is over.

An alarm costs USD 0.10 a month for each metric that it reads, and the key of the topic USD 1.00.
\`-c alarmThresholds=ServerErrors:5,SlowStreams:off\` changes a threshold or leaves an alarm out. \`-c concurrencyQuota=\` is the quota of the account for
Lambda's concurrency. \`-c alarmTopicArn=\` names a topic of your own: its policy, and that of its key, must allow
\`cloudwatch.amazonaws.com\` and \`events.amazonaws.com\` to publish.

\`-c cloudWatchDashboard=on\` makes a dashboard with the name of the stack: USD 3.00 a month beyond the first three of an account. It shows traffic, errors, providers,
limits, tables and the aggregator; times, tokens and money by provider come from the metrics of requests, and without these times and tokens from
queries, each of which costs USD 0.005 for a GB of logs that it reads.

Queries are for CloudWatch Logs Insights: choose the log groups of the functions (or of the server), and the time of the alarm. On Web Functions
Lambda may write our line as the field \`message\` of its own: then put \`message.\` before each field. Metrics of Web Functions themselves are in
the namespaces \`AWS/Lambda/Web\` and \`AWS/Lambda/Web/Usage\`, on which no alarm looks: the API and the log lines show what callers get.`;

const metrics = `With \`-c metrics=on\` the log line of each request that may call a model also is a document of CloudWatch's embedded metric format: the log
service takes the metrics out of it, in a namespace with the name of the stack. The request waits for nothing, and there is no second line.
Each dimension stands alone, so that their numbers add up: ${metricsBy.Operation.length} metrics for each operation in use, ${metricsBy.Provider.length} for each provider, and ${metricsBy.Model.length} for each
model of \`-c metricModels=openai/gpt-5,anthropic/claude-opus-5\` (at most ${maxMetricModels}) and for all others together. Each costs USD 0.30 a month, by the hours in
which it has a value; the bytes in the log cost as others. A cost that is not known is absent, and not 0.
Where the task of a server writes its log to CloudWatch, that does the same. With \`compute=web\` the setting is refused: Lambda puts our line into one of its own, and the
format asks for metrics at the root of a line.`;

export function alarmsPage(): string {
  return page([
    generated,
    '# Alarms',
    introduction,
    table(
      ['Alarm', 'What', 'Above', `With \`compute=\``],
      alarmRows.map((row) => [
        `[${row.name}](#${row.name.toLowerCase()})`,
        row.title,
        limitOf(row),
        row.hosts?.map((host) => `\`${host}\``).join(', ') ?? 'all',
      ]),
    ),
    ...alarmRows.flatMap(section),
    '## Metrics of requests',
    metrics,
    table(
      ['Metric', 'Unit', 'By'],
      Object.entries(metricUnits).map(([name, unit]) => [
        `\`${name}\``,
        unit,
        Object.entries(metricsBy)
          .filter(([, names]: readonly [string, readonly string[]]) => names.includes(name))
          .map(([dimension]) => `\`${dimension}\``)
          .join(', '),
      ]),
    ),
  ]);
}

function section(row: AlarmRow): readonly string[] {
  return [
    `## ${row.name}`,
    `**${row.title}.** ${row.means}`,
    `Who is affected: ${row.affects}`,
    `It looks at ${watchedBy(row)}, ${row.minutes} minutes at a time: ${limitOf(row)}, in ${row.late} of ${row.periods}.`,
    ...(row.query === undefined ? [] : ['To see more:', code('text', row.query)]),
    ['What to do:', '', ...row.steps.map((step, index) => `${index + 1}. ${step}`)].join('\n'),
  ];
}

const units = { percent: ' %', count: '', milliseconds: ' ms' } as const;

function limitOf({ threshold, isAtLeast, isBelow, unit }: AlarmRow): string {
  const limit = `${threshold.toLocaleString('en-US')}${units[unit]}`;
  if (isBelow) return `less than ${limit}, or no figure`;
  return isAtLeast ? `${limit} or more` : `more than ${limit}`;
}

function watchedBy({ watch }: AlarmRow): string {
  if ('all' in watch) return describe(watch.all);
  if ('none' in watch)
    return `${describe(watch.none)}: 1 if there was none although there were ${describe(watch.although)}`;
  const { of } = watch;
  if (of === 'concurrencyQuota' || of === 'maxTasks')
    return `the share of \`${of}\` that is taken by ${describe(watch.share)}`;
  const fewer = watch.least > few.least ? `; from ${few.least} on where it is ${few.percent} % or more` : '';
  return `the share of ${describe(watch.share)} in ${describe(of)}, from ${watch.least} of these on${fewer}`;
}

/** Lines by the name of their metric, and by what is in them. */
function describe(measure: Measure): string {
  if (!isCountedLine(measure)) return awsMeasures[measure];
  const conditions = lines[measure].where.map(
    ([field, comparator, value]) =>
      `${field} ${comparator} ${value === slowStreamMs ? slowStreamMs.toLocaleString('en-US') : value}`,
  );
  return `\`${measure}\` (log lines with ${conditions.map((text) => `\`${text}\``).join(', ')})`;
}
