/** The page `docs/alarms.md`: what each alarm means, who is affected, how to see more and what to do. */
import { lines, slowStreamMs } from '../alarms/lines.ts';
import { type AlarmRow, awsMeasures, type Measure } from '../alarms/row.ts';
import { alarmRows, isCountedLine } from '../alarms/table.ts';
import { computes } from '../settings/computes.ts';
import { code, generated, page, table } from './markdown.ts';

const introduction = `\`npm run deploy -- -c alarmEmail=ops@example.com\` makes these alarms, and a topic that mails them and the alerts about budgets. AWS asks the address
for its consent first: until the link in that mail is opened, nothing is mailed. Each alarm also reports when it is over.

An alarm costs USD 0.10 a month for each metric that it reads, and the key of the topic USD 1.00; \`npm run cost -- --alarms\` has the sum.
\`-c alarmThresholds=ServerErrors:5,SlowStreams:off\` changes a threshold or leaves an alarm out. \`-c concurrencyQuota=\` is the quota of the account for
Lambda's concurrency. \`-c alarmTopicArn=\` names a topic of your own: its policy, and that of its key, must allow
\`cloudwatch.amazonaws.com\` and \`events.amazonaws.com\` to publish.

Queries are for CloudWatch Logs Insights: choose the log groups of the functions (or of the server), and the time of the alarm. On Web Functions
Lambda may write our line as the field \`message\` of its own: then put \`message.\` before each field. Metrics of Web Functions themselves are in
the namespaces \`AWS/Lambda/Web\` and \`AWS/Lambda/Web/Usage\`, on which no alarm looks: the API and the log lines show what callers get.`;

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
        row.hosts.length === computes.length ? 'all' : row.hosts.map((host) => `\`${host}\``).join(', '),
      ]),
    ),
    ...alarmRows.flatMap(section),
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

function limitOf({ threshold, isAtLeast, unit }: AlarmRow): string {
  const limit = `${threshold.toLocaleString('en-US')}${units[unit]}`;
  return isAtLeast ? `${limit} or more` : `more than ${limit}`;
}

function watchedBy({ watch }: AlarmRow): string {
  if ('all' in watch) return describe(watch.all);
  const { of } = watch;
  if (of === 'concurrencyQuota' || of === 'maxTasks')
    return `the share of \`${of}\` that is taken by ${describe(watch.share)}`;
  return `the share of ${describe(watch.share)} in ${describe(of)}, from ${watch.least} of these on`;
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
