/**
 * `npm run deploy`: builds, synthesizes, shows which settings change from what is deployed, and lets the CDK deploy exactly that. A
 * setting that was deployed and is not given any more stops it: else a deployment from another machine would silently take it back.
 */

import { type AwsAccess, type AwsClients, createAwsClients } from '../../infra/aws/clients.ts';
import type { StackFacts } from '../../infra/aws/stacks.ts';
import { findStack, protectStack } from '../../infra/aws/stacks.ts';
import { adminStackName, dataStackName } from '../../infra/names.ts';
import { settingsOfFile } from '../../infra/settings/given.ts';
import type { Terminal } from '../command.ts';
import type { SettingChange } from './compare.ts';
import { type Assembly, compareSettings, isFailedCreation, readAssembly, replacedTables } from './compare.ts';
import { dashboardFlag } from './destroy.ts';
import { contextWords, placeWords, readTyped, regionOf, type Typed } from './typed.ts';

interface DeployTools {
  readonly terminal: Pick<Terminal, 'write' | 'writeError'>;
  /** Builds the functions; resolves with the exit code. */
  readonly build: () => Promise<number>;
  /** Runs the CDK; resolves with its exit code. */
  readonly cdk: (words: readonly string[]) => Promise<number>;
  /** The account, in the region if one was typed. Rejects without a region or credentials. */
  readonly open: (region: string | undefined) => Promise<AwsAccess>;
  /** Where the CDK writes the templates. */
  readonly output: string;
}

const reset = '--reset-settings';

/** Resolves with the exit code: 0 success, 1 failure, 2 usage error. */
export async function deploy(words: readonly string[], tools: DeployTools): Promise<number> {
  const { terminal, output } = tools;
  try {
    const typed = readTyped(words, [reset]);
    for (const line of overridden(typed)) terminal.write(line);
    const synth = ['synth', '--quiet', '--no-notices', '--output', output];
    const made =
      (await tools.build()) ||
      (await tools.cdk([...synth, ...contextWords(typed.context), ...placeWords(typed.rest)]));
    if (made > 0) return made;
    const stopped = await compare(typed, tools);
    if (stopped > 0) return stopped;
    return await tools.cdk(['deploy', '--all', '--no-notices', '--app', output, ...typed.rest]);
  } catch (error) {
    terminal.writeError(`Error: ${messageOf(error)}`);
    return 2;
  }
}

/** What is on the command line and differs from the file. */
function overridden({ context }: Typed): readonly string[] {
  const file = context.get('config');
  if (file === undefined) return [];
  const inFile = settingsOfFile(file);
  return [...context].flatMap(([name, value]) => {
    const other = inFile.get(name);
    return other === undefined || other === value
      ? []
      : [`${name}: ${value} on the command line counts, not ${other} in ${file}.`];
  });
}

/** Resolves with an exit code: 0 if the deployment may go on. */
async function compare(typed: Typed, tools: DeployTools): Promise<number> {
  const { terminal } = tools;
  const next = readAssembly(tools.output);
  const access = await tools.open(regionOf(typed.rest)).catch((error: unknown) => unreadable(tools, error));
  if (!access) return typed.flags.has(reset) ? 0 : 1;
  try {
    const aws = createAwsClients(access);
    const stack = await findStack(aws, next.stackName);
    const data = await findStack(aws, dataStackName(next.stackName));
    const admin = await findStack(aws, adminStackName(next.stackName));
    const stopped = review(typed, terminal, { region: aws.region, next, stack, data, admin });
    if (stopped === 0) await unprotectFailed(aws, terminal, [stack, data]);
    return stopped;
  } catch (error) {
    unreadable(tools, error);
    return typed.flags.has(reset) ? 0 : 1;
  } finally {
    await access.close();
  }
}

interface Found {
  readonly region: string;
  readonly next: Assembly;
  readonly stack: StackFacts | undefined;
  readonly data: StackFacts | undefined;
  readonly admin: StackFacts | undefined;
}

function review(
  typed: Typed,
  terminal: DeployTools['terminal'],
  { region, next, stack, data, admin }: Found,
): number {
  const { stackName, settings } = next;
  const comparison = compareSettings(stack, settings);
  terminal.write(`Settings of ${stackName} in ${region}:`);
  for (const line of comparison.lines) terminal.write(line);
  const elsewhere = [...settings].find(
    ([name, arn]) => name.startsWith('tables.') && regionOfArn(arn) !== region,
  );
  if (elsewhere) {
    terminal.writeError(`Error: "${elsewhere[0]}" is in another region than the stack: ${elsewhere[1]}`);
    return 2;
  }
  for (const line of replacedTables(data, settings)) terminal.write(line);
  if (admin && !next.stackNames.includes(admin.name))
    terminal.write(
      `The dashboard is left out. Its stack ${admin.name} stays until it is removed: npm run destroy -- ${dashboardFlag}`,
    );
  if (comparison.reverted.length === 0 || typed.flags.has(reset)) return 0;
  for (const line of howToGoOn(typed, comparison.reverted)) terminal.writeError(line);
  return 1;
}

function unreadable({ terminal }: DeployTools, error: unknown): undefined {
  terminal.writeError(`What is deployed cannot be read: ${messageOf(error)}`);
  terminal.writeError(`With ${reset}, settings are not compared, and each that is not given is its default.`);
}

const regionOfArn = (arn: string) => arn.split(':')[3];

function howToGoOn({ context, rest }: Typed, changes: readonly SettingChange[]): readonly string[] {
  const names = changes.map(({ name }) => name).join(', ');
  const kept = new Map(context);
  for (const { nameNow, deployed } of changes)
    if (nameNow && deployed !== undefined) kept.set(nameNow, deployed);
  const gone = changes.filter(({ nameNow }) => nameNow === undefined).map(({ name }) => name);
  return [
    `Error: Deployed, and not given now: ${names}. Nothing was changed.`,
    `To keep them: npm run deploy -- ${[...contextWords(kept), ...rest].map(quoted).join(' ')}`,
    ...(gone.length > 0 ? [`This version has no setting ${gone.join(', ')}.`] : []),
    `To let them go back to their defaults: add ${reset}`,
  ];
}

const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The CDK protects a stack before it makes it, and could then not remove what a creation that failed has left. */
async function unprotectFailed(
  aws: AwsClients,
  terminal: DeployTools['terminal'],
  stacks: readonly (StackFacts | undefined)[],
): Promise<void> {
  for (const stack of stacks) {
    if (!stack?.isProtected || !isFailedCreation(stack)) continue;
    terminal.write(
      `The creation of ${stack.name} failed before: its remains are removed first. Tables in it stay.`,
    );
    await protectStack(aws, stack.name, false);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
