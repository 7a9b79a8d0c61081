/** `check`: whether an account is ready for a gateway, and whether a deployed one is whole. It changes nothing. */
import { type AwsClients, createAwsClients } from '../../infra/aws/clients.ts';
import { textAt } from '../../infra/aws/read-xml.ts';
import { mapConcurrently } from '../../lib/async/map-concurrently.ts';
import { type Command, type CommandContext, type Terminal, UsageError } from '../command.ts';
import { readNumber } from '../cost/options.ts';
import { wrap } from '../help.ts';
import { jsonOption } from '../listing.ts';
import {
  type Check,
  type CheckContext,
  createDeployedGateway,
  type DeployedGateway,
  type Finding,
  failed,
  findingOf,
  type Identity,
  type Level,
  ok,
  type Planned,
  type StackCheck,
} from './check.ts';
import { accountChecks, checkPolicy, stackChecks } from './checks.ts';
import { stackStatus } from './rows/stack.ts';

interface Result extends Finding {
  readonly check: string;
  readonly title: string;
}

/** AWS throttles those who ask for much at once. */
const atATime = 4;

interface CheckOptions extends Omit<CheckContext, 'identity'> {
  /** Without it, only the account is checked. */
  readonly gateway: DeployedGateway | undefined;
}

/** Rejects only for a mistake of this program. Without credentials there is one result, which is why. */
async function runChecks({ gateway, ...options }: CheckOptions): Promise<readonly Result[]> {
  const who = await identify(options.aws);
  const credentials = { check: 'credentials', title: 'Credentials' };
  if ('level' in who) return [{ ...credentials, ...who }];
  const context = { ...options, identity: who };
  const found = ok(`${who.arn} of account ${who.account}, in ${options.aws.region}.`);
  const account = await mapConcurrently(accountChecks, atATime, (check) =>
    attempt(check, () => check.run(context)),
  );
  const stack = gateway
    ? await mapConcurrently(await checksOf(gateway), atATime, (check) =>
        attempt(check, () => check.run({ ...context, gateway })),
      )
    : [];
  return [{ ...credentials, ...found }, ...account.flat(), ...stack.flat()];
}

/** Of a stack that does not exist, there is nothing more to say. */
async function checksOf(gateway: DeployedGateway): Promise<readonly StackCheck[]> {
  const facts = await gateway.facts().catch(() => 'unknown');
  return facts === undefined ? [stackStatus] : stackChecks;
}

async function attempt(check: Check, run: () => ReturnType<Check['run']>): Promise<readonly Result[]> {
  const findings = await run().catch((error: unknown) => findingOf(error, check));
  return [findings].flat().map((finding) => ({ check: check.id, title: check.title, ...finding }));
}

/** It needs no permission. Source: docs.aws.amazon.com STS, API_GetCallerIdentity. */
async function identify(aws: AwsClients): Promise<Identity | Finding> {
  try {
    const answer = await aws.query('sts', 'GetCallerIdentity');
    return { account: textAt(answer, 'Account'), arn: textAt(answer, 'Arn') };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'CredentialsProviderError')
      return { ...findingOf(error, { needs: [] }), level: 'failed' };
    return failed(
      'there are no credentials of AWS.',
      'Sign in (aws sso login), choose a profile with AWS_PROFILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
}

const countOf = (results: readonly Result[], level: Level): number =>
  results.filter((result) => result.level === level).length;

export const check: Command = {
  name: 'check',
  summary: 'Check an account before a deployment, or a deployed gateway',
  description:
    'Each line is ok, a warning, or failed, with what to do. Exit code 1 if a check failed. Nothing is changed, and no secret is read. A check that your permissions do not allow is a warning that names the permission; --policy prints all of them.',
  options: {
    account: { description: 'Check only the account and region, before a deployment' },
    'planned-rps': {
      value: '<n>',
      description: 'Requests per second that are planned, to compare quotas with',
    },
    'planned-seconds': { value: '<s>', description: 'Seconds that an answer takes (default: 8)' },
    call: {
      description:
        'Also ask each provider that has a key for one token, through the gateway, with the key in GATEWAY_API_KEY. It costs that token',
    },
    policy: {
      description: 'Print the permissions that the checks need as a policy of IAM, and check nothing',
    },
    ...jsonOption,
  },
  examples: [
    'check --account --region eu-central-1',
    'check --stack ModelGateway',
    'check --stack ModelGateway --planned-rps 20 --planned-seconds 8',
    'check --stack ModelGateway --call',
    'check --policy',
  ],
  async run(context) {
    const { flags, terminal } = context;
    if (flags.has('policy')) return terminal.write(JSON.stringify(checkPolicy(), null, 2));
    const stack = stackOf(context);
    const planned = readPlanned(context.options);
    const gatewayKey = readKey(context);
    const access = await context.aws();
    const aws = createAwsClients(access);
    const gateway = stack === undefined ? undefined : createDeployedGateway(aws, stack, context.open);
    try {
      const results = await runChecks({ aws, planned, gatewayKey, gateway });
      write(terminal, results, flags.has('json'));
      const count = countOf(results, 'failed');
      if (count > 0) throw new Error(count === 1 ? 'One check failed.' : `${count} checks failed.`);
    } finally {
      await gateway?.close();
      await access.close();
    }
  },
};

function stackOf({ options, flags, variables }: CommandContext): string | undefined {
  const stack = options.stack ?? variables.GATEWAY_STACK;
  if (flags.has('account') && options.stack !== undefined)
    throw new UsageError('Give --stack or --account: --stack checks the account, too.');
  if (flags.has('account')) return undefined;
  if (stack) return stack;
  throw new UsageError('Give --stack <name>, or --account before a deployment.');
}

function readPlanned(options: CommandContext['options']): Planned | undefined {
  const { 'planned-rps': rps, 'planned-seconds': seconds } = options;
  if (rps === undefined && seconds !== undefined)
    throw new UsageError('--planned-seconds requires --planned-rps.');
  if (rps === undefined) return undefined;
  const range = { value: '', description: '', decimals: 3, min: 0.001 };
  return {
    rps: readNumber('planned-rps', { ...range, defaultValue: 1, max: 1_000_000 }, rps),
    seconds: readNumber('planned-seconds', { ...range, defaultValue: 8, max: 900 }, seconds),
  };
}

function readKey({ flags, variables }: CommandContext): string | undefined {
  if (!flags.has('call')) return undefined;
  if (flags.has('account')) throw new UsageError('--call needs a deployed gateway: --stack <name>.');
  const { GATEWAY_API_KEY: key } = variables;
  if (key) return key;
  throw new UsageError('--call needs a key of the gateway in GATEWAY_API_KEY.');
}

/** Under the longest level. */
const indent = ' '.repeat(9);

function write(terminal: Terminal, results: readonly Result[], isJson: boolean): void {
  if (isJson) {
    terminal.write(JSON.stringify(results, null, 2));
    return;
  }
  const width = (terminal.columns ?? 120) - indent.length;
  for (const { level, title, text, remedy } of results) {
    const [first = '', ...rest] = wrap(plain(`${title}: ${text}`), width);
    terminal.write(`${level.padEnd(indent.length)}${first}`);
    const more = [...rest, ...(remedy === undefined ? [] : wrap(plain(`-> ${remedy}`), width))];
    for (const line of more) terminal.write(indent + line);
  }
  const counts = [
    `${countOf(results, 'ok')} ok`,
    `${countOf(results, 'warning')} warnings`,
    `${countOf(results, 'failed')} failed`,
  ];
  terminal.write(`\n${counts.join(', ')}.`);
}

/** Names in an account may have any character; control characters could move the cursor. */
const plain = (text: string) => text.replaceAll(/\p{Cc}/gu, '�');
