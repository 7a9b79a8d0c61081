/** Whether the logs of the functions are kept: a line may be the only record of a request. Source: docs.aws.amazon.com CloudWatch Logs, API_DescribeLogGroups. */
import { failed, ok, type StackCheck, type StackContext, warning } from '../check.ts';

/** Groups of a page, and more pages than a stack can have. */
const page = { size: 50, max: 20 };

export const logGroups: StackCheck = {
  id: 'log-groups',
  title: 'Log groups',
  of: 'stack',
  about: 'The log groups of the stack exist, and end their lines at some time.',
  needs: ['logs:DescribeLogGroups', 'cloudformation:ListStackResources'],
  async run(context) {
    const resources = await context.gateway.resources();
    const names = resources.filter(({ type }) => type === 'AWS::Logs::LogGroup').map((one) => one.physicalId);
    const found = await describeGroups(context, sharedPrefix(names));
    const missing = names.filter((name) => !found.has(name));
    if (missing.length > 0)
      return [
        failed(`missing: ${missing.join(', ')}.`, 'Deploy the gateway again: what functions log is lost.'),
      ];
    const endless = names.filter((name) => found.get(name) === undefined);
    if (endless.length === 0) return [ok(`${names.length}, all of which end their lines at some time.`)];
    return [
      warning(
        `kept without a limit: ${endless.join(', ')}.`,
        'Set a retention, or pay for every line as long as it is kept.',
      ),
    ];
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
