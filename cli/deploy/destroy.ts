/**
 * `npm run destroy`: shows what goes and what stays, asks for the name of the stack, and removes the gateway with its dashboard, or with
 * `--dashboard` that alone. Its tables have a stack of their own, which stays unless `--tables` is given: the next `npm run deploy` finds
 * them there.
 */

import { App } from 'aws-cdk-lib';
import { z } from 'zod';
import { type AwsAccess, type AwsClients, createAwsClients } from '../../infra/aws/clients.ts';
import {
  findStack,
  listResources,
  protectStack,
  removeStack,
  type StackFacts,
  type StackResource,
  templateOf,
} from '../../infra/aws/stacks.ts';
import { adminStackName, dataStackName } from '../../infra/names.ts';
import { readSettings } from '../../infra/settings/settings.ts';
import type { Terminal } from '../command.ts';
import { otherWords, readTyped, regionOf, type Typed } from './typed.ts';

const schema = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), DeletionPolicy: z.string().optional() })),
});

interface Remains {
  /** How many of each type go. */
  readonly goes: ReadonlyMap<string, number>;
  readonly stays: readonly StackResource[];
}

/** CloudFormation keeps what says so in the template that was deployed. Source: docs.aws.amazon.com CloudFormation, DeletionPolicy. */
function remainsOf(template: unknown, resources: readonly StackResource[]): Remains {
  const { Resources } = schema.parse(template);
  const isKept = ({ logicalId }: StackResource) =>
    Resources[logicalId]?.DeletionPolicy?.startsWith('Retain') ?? false;
  const goes = new Map<string, number>();
  for (const resource of resources)
    if (!isKept(resource)) goes.set(resource.type, (goes.get(resource.type) ?? 0) + 1);
  return { goes, stays: resources.filter(isKept) };
}

const removals: Readonly<Record<string, (id: string) => readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': (id) => [
    `aws dynamodb update-table --table-name ${id} --no-deletion-protection-enabled`,
    `aws dynamodb delete-table --table-name ${id}`,
  ],
  // An update without other settings takes them back, which does not matter here. Source: docs.aws.amazon.com Cognito, API_UpdateUserPool.
  'AWS::Cognito::UserPool': (id) => [
    `aws cognito-idp update-user-pool --user-pool-id ${id} --deletion-protection INACTIVE`,
    `aws cognito-idp delete-user-pool --user-pool-id ${id}`,
  ],
  'AWS::Logs::LogGroup': (id) => [`aws logs delete-log-group --log-group-name ${id}`],
};

/** The commands that remove what stays, for those who want it gone; of roles and the like, a line that names them. */
const removalOf = ({ type, physicalId }: StackResource): readonly string[] =>
  removals[type]?.(physicalId) ?? [`# ${type} ${physicalId}: other APIs of the account may use it`];

/** What `npm run deploy` needs to use the tables of a removed stack again; empty if it had none. */
function adoptionOf(outputs: ReadonlyMap<string, string>): readonly string[] {
  return [...outputs].flatMap(([name, arn]) => {
    const [, table, kind] = /^(.*?)(TableArn|StreamArn)$/.exec(name) ?? [];
    if (table === undefined) return [];
    return ['-c', `tables.${table.toLowerCase()}${kind === 'StreamArn' ? 'Stream' : ''}=${arn}`];
  });
}

interface DestroyTools {
  readonly terminal: Pick<Terminal, 'write' | 'writeError' | 'readValue'>;
  /** The account, in the region if one was typed. Rejects without a region or credentials. */
  readonly open: (region: string | undefined) => Promise<AwsAccess>;
  /** Between two looks at a stack that is being deleted. */
  readonly pauseMs: number;
}

export const dashboardFlag = '--dashboard';
const flags = { yes: '--yes', tables: '--tables', dashboard: dashboardFlag };

interface Doomed extends Remains {
  readonly stack: StackFacts;
}

/** Resolves with the exit code: 0 success, 1 failure, 2 usage error. */
export async function destroy(words: readonly string[], tools: DestroyTools): Promise<number> {
  const { terminal } = tools;
  let asked: Asked | undefined;
  let access: AwsAccess | undefined;
  try {
    asked = read(words);
    access = await tools.open(regionOf(asked.rest));
    return await removeGateway(createAwsClients(access), asked, tools);
  } catch (error) {
    terminal.writeError(`Error: ${error instanceof Error ? error.message : error}`);
    return asked ? 1 : 2;
  } finally {
    await access?.close();
  }
}

interface Asked extends Typed {
  readonly stackName: string;
}

/** A word that is not understood stops it: it may be the name of another stack. */
function read(words: readonly string[]): Asked {
  const typed = readTyped(words, Object.values(flags));
  const [other] = otherWords(typed.rest);
  if (other !== undefined)
    throw new Error(
      `Unknown: ${other}. The options are ${Object.values(flags).join(', ')}, --profile, --region, and -c stackName=… for another stack.`,
    );
  if (typed.flags.has(flags.tables) && typed.flags.has(flags.dashboard))
    throw new Error(`Give either ${flags.tables} or ${flags.dashboard}, which removes the dashboard alone.`);
  const { stackName } = readSettings(new App({ context: Object.fromEntries(typed.context) }).node);
  return { ...typed, stackName };
}

async function removeGateway(
  aws: AwsClients,
  { stackName, flags: given }: Asked,
  { terminal, pauseMs }: DestroyTools,
): Promise<number> {
  const isDashboard = given.has(flags.dashboard);
  const names = [
    adminStackName(stackName),
    ...(isDashboard ? [] : [stackName]),
    ...(given.has(flags.tables) ? [dataStackName(stackName)] : []),
  ];
  const doomed: Doomed[] = [];
  for (const name of names) {
    const stack = await findStack(aws, name);
    if (stack)
      doomed.push({ stack, ...remainsOf(await templateOf(aws, stack), await listResources(aws, name)) });
  }
  if (doomed.length === 0) {
    const wanted = isDashboard ? names : names.slice(1);
    terminal.writeError(`There is no stack ${wanted.join(' and no ')} in ${aws.region}.`);
    return 1;
  }
  for (const line of doomed.flatMap(describe)) terminal.write(line);
  if (!isDashboard && !given.has(flags.tables)) terminal.write(await whereTablesStay(aws, stackName));
  if (!given.has(flags.yes) && !(await isConfirmed(terminal, stackName))) {
    terminal.writeError(`Not confirmed: nothing was removed. Without a question: ${flags.yes}`);
    return 1;
  }
  for (const { stack } of doomed) {
    if (stack.isProtected) await protectStack(aws, stack.name, false);
    terminal.write(`Removing ${stack.name} …`);
    await removeStack(aws, stack.name, pauseMs);
  }
  for (const line of afterwards(stackName, doomed, isDashboard)) terminal.write(line);
  return 0;
}

async function whereTablesStay(aws: AwsClients, stackName: string): Promise<string> {
  const name = dataStackName(stackName);
  if (await findStack(aws, name))
    return `The tables stay in the stack ${name}: \`npm run deploy\` uses them again. With ${flags.tables}, that stack goes too.`;
  return 'The tables are of no stack of this gateway: they stay as they are.';
}

function describe({ stack, goes, stays }: Doomed): readonly string[] {
  return [
    `Stack ${stack.name}`,
    ...[...goes].map(([type, count]) => `  goes:  ${count} ${type}`),
    ...stays.map(({ type, physicalId }) => `  stays: ${type} ${physicalId}`),
  ];
}

async function isConfirmed(terminal: DestroyTools['terminal'], stackName: string): Promise<boolean> {
  terminal.write(`Enter the name of the stack (${stackName}) to remove it:`);
  return (await terminal.readValue()).trim() === stackName;
}

function afterwards(stackName: string, doomed: readonly Doomed[], isDashboard: boolean): readonly string[] {
  const data = doomed.find(({ stack }) => stack.name === dataStackName(stackName));
  const adoption = data && data.stays.length > 0 ? adoptionOf(data.stack.outputs) : [];
  const prefix = `/${stackName}/`;
  const removals = doomed.flatMap(({ stays }) => stays.flatMap(removalOf));
  const ofGateway = isDashboard
    ? []
    : [
        `aws ssm get-parameters-by-path --path ${prefix}providers --recursive --query 'Parameters[].Name'   # keys of providers: then aws ssm delete-parameters --names …`,
        '# CDKToolkit, the stack of `cdk bootstrap`, if no other app of the account and region uses it',
      ];
  const left = [...removals, ...ofGateway].map((line) => `  ${line}`);
  return [
    'Removed.',
    ...(isDashboard ? ['Deploy with -c dashboard=false from now on, or it is made again.'] : []),
    ...(adoption.length > 0
      ? ['The tables come back into use with:', `  npm run deploy -- ${adoption.join(' ')}`]
      : []),
    ...(left.length > 0 ? ['To remove what stays, for good:', ...left] : []),
  ];
}
