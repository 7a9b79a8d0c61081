/** Whether the stacks of a gateway and its tables are as they are deployed. */
import type { StackFacts } from '../../../infra/aws/stacks.ts';
import { adminStackName, dataStackName, pascalCase } from '../../../infra/names.ts';
import { act, streamFormat } from '../../../infra/tables/table-calls.ts';
import { expiryAttribute, kindOf, type TableName, tableNames } from '../../../lib/core/tables.ts';
import { expires, isRecoverable } from '../../table-facts.ts';
import {
  type DeployedGateway,
  type Finding,
  failed,
  isMissing,
  ok,
  outputOf,
  type StackCheck,
  type StackContext,
  warning,
} from '../check.ts';

/** What to do in each state that is not right. */
const remedies: Readonly<Record<string, string>> = {
  ROLLBACK_COMPLETE:
    'Its creation failed: read the first failed event, delete the stack, and deploy again. "Orphan tables" shows what was left.',
  ROLLBACK_FAILED:
    'Its creation failed and so did its removal: read the events, delete the stack, and deploy again.',
  CREATE_FAILED: 'Its creation failed: read the first failed event, delete the stack, and deploy again.',
  DELETE_FAILED: 'Read the events for what could not be deleted, and delete the stack again.',
  UPDATE_ROLLBACK_COMPLETE:
    'The last deployment failed, and the one before it serves: read the first failed event, and deploy again.',
  UPDATE_ROLLBACK_FAILED:
    'Neither the last deployment nor the one before it is whole: read the events, and run aws cloudformation continue-update-rollback.',
};

const isGood = (status: string) => /^(?:CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status);

/** The stack of the gateway, that of its tables and that of its dashboard are whole. */
export const stackStatus: StackCheck = {
  id: 'stack',
  title: 'Stack',
  needs: ['cloudformation:DescribeStacks'],
  async run({ gateway }) {
    const own = await gateway.facts();
    const data = await gateway.facts(dataStackName(gateway.name));
    const admin = await gateway.facts(adminStackName(gateway.name));
    if (!own) {
      const remedy = `Deploy it: npm run deploy${gateway.name === 'ModelGateway' ? '' : ` -- -c stackName=${gateway.name}`}. Check the region, too.`;
      return failed(`there is no stack ${gateway.name} in this region.`, remedy);
    }
    // Without a dashboard, there is no such stack.
    return [describe(own), ...describeData(data, gateway), ...(admin ? [describe(admin)] : [])];
  },
};

function describe({ name, status, reason }: StackFacts): Finding {
  if (isGood(status)) return ok(`${name} is ${status}.`);
  if (status.endsWith('_IN_PROGRESS'))
    return warning(`${name} is ${status}.`, 'Wait until it has ended, and check again.');
  const because = reason ? ` (${reason})` : '';
  const remedy = remedies[status] ?? 'Read its events in the console of CloudFormation.';
  const text = `${name} is ${status}${because}.`;
  // The gateway that was there before serves on.
  return status === 'UPDATE_ROLLBACK_COMPLETE' ? warning(text, remedy) : failed(text, remedy);
}

function describeData(data: StackFacts | undefined, { name }: DeployedGateway): readonly Finding[] {
  // Tables that were adopted need no stack.
  if (!data) return [];
  if (data.isProtected) return [describe(data)];
  const remedy = `Unless that is meant (retain=false): aws cloudformation update-termination-protection --enable-termination-protection --stack-name ${dataStackName(name)}.`;
  return [describe(data), warning(`${data.name} can be deleted by mistake.`, remedy)];
}

const neededOutputs = [
  'OpenAiBaseUrl',
  'AnthropicBaseUrl',
  'CatalogTable',
  'AccessTable',
  'StateTable',
  'UsageTable',
  'ProviderParametersPrefix',
  'LedgerDays',
  'Region',
] as const;

/** The stack has the outputs that commands read. */
export const outputs: StackCheck = {
  id: 'outputs',
  title: 'Outputs',
  needs: ['cloudformation:DescribeStacks'],
  async run({ gateway }) {
    const facts = await gateway.facts();
    if (!facts) return [];
    const missing = neededOutputs.filter((name) => !facts.outputs.has(name));
    if (missing.length === 0) return ok(`base URL: ${facts.outputs.get('OpenAiBaseUrl')}`);
    const text = `missing: ${missing.join(', ')}.`;
    return failed(text, 'The stack is no gateway, or of an older version: deploy it again.');
  },
};

/** More than any account has: one region has at most 10,000 tables by default, and a page has 100. */
const maxPages = 100;

/** No table of an earlier creation of this stack is left over. */
export const orphanTables: StackCheck = {
  id: 'orphan-tables',
  title: 'Orphan tables',
  needs: ['dynamodb:ListTables'],
  async run(context) {
    const { gateway } = context;
    const outputs = (await gateway.facts())?.outputs;
    const used = tableNames.map((name) => outputs?.get(`${pascalCase(name)}Table`));
    const names = await listTables(context);
    const ours = nameOfTable(gateway.name);
    const orphans = names.filter((name) => ours.test(name) && !used.includes(name));
    if (orphans.length === 0) return ok('none.');
    const remedy =
      'Adopt them with -c tables, or, if nothing in them is needed, turn their deletion protection off and delete them.';
    return warning(`not used by the stack: ${orphans.join(', ')}.`, remedy);
  },
};

/**
 * The name that CloudFormation gives a table of this stack, or of its tables' stack, and that of a restored one. Another stack may have a
 * name that begins with the name of this one. Source: docs.aws.amazon.com CloudFormation, "Name type".
 */
function nameOfTable(stack: string): RegExp {
  const tables = tableNames.map((name) => `${pascalCase(name)}Table`).join('|');
  return new RegExp(
    `^(?:${stack}|${dataStackName(stack)})-(?:${tables})[0-9A-F]{8}-[A-Za-z0-9]+(?:-at-\\w+)?$`,
  );
}

async function listTables({ aws }: StackContext): Promise<readonly string[]> {
  const names: string[] = [];
  let start: unknown;
  for (let page = 0; page < maxPages; page += 1) {
    const input = start === undefined ? {} : { ExclusiveStartTableName: start };
    const answer = await act(aws.json('dynamodb'), 'ListTables', input);
    names.push(...(answer.TableNames as readonly string[]));
    start = answer.LastEvaluatedTableName;
    if (start === undefined) break;
  }
  return names;
}

/** The tables exist, expire items, can be restored, cannot be deleted by mistake, and the ledger has its stream. */
export const tables: StackCheck = {
  id: 'tables',
  title: 'Tables',
  needs: ['dynamodb:DescribeTable', 'dynamodb:DescribeTimeToLive', 'dynamodb:DescribeContinuousBackups'],
  run: async (context) => await Promise.all(tableNames.map((name) => checkTable(context, name))),
};

interface Description {
  readonly TableStatus?: string;
  readonly DeletionProtectionEnabled?: boolean;
  readonly StreamSpecification?: { readonly StreamEnabled?: boolean; readonly StreamViewType?: string };
}

async function checkTable({ aws, gateway }: StackContext, purpose: TableName): Promise<Finding> {
  const table = await outputOf(gateway, `${pascalCase(purpose)}Table`);
  const input = { TableName: table };
  const call = aws.json('dynamodb');
  const named = `${purpose} (${table})`;
  try {
    const { Table } = await act(call, 'DescribeTable', input);
    const { TimeToLiveDescription } = await act(call, 'DescribeTimeToLive', input);
    const { ContinuousBackupsDescription } = await act(call, 'DescribeContinuousBackups', input);
    const description = Table as Description;
    const serious = [
      ...(description.TableStatus === 'ACTIVE' ? [] : [`its status is ${description.TableStatus}`]),
      ...(hasStream(purpose, description) ? [] : [`no stream with ${streamFormat.StreamViewType}`]),
    ];
    const lacks = [
      ...(expires(TimeToLiveDescription) ? [] : [`no expiry by ${expiryAttribute}`]),
      // What is deleted of stored responses may be meant to be gone.
      ...(purpose === 'state' || isRecoverable(ContinuousBackupsDescription) ? [] : ['no recovery']),
      ...(description.DeletionProtectionEnabled ? [] : ['no deletion protection']),
    ];
    if (serious.length > 0) return failed(`${named}: ${serious.join(', ')}.`, 'Deploy the gateway again.');
    if (lacks.length === 0) return ok(`${named} is complete.`);
    const remedy =
      'Deploy the gateway again; of an adopted table, turn these on yourself. retain=false has no protection.';
    return warning(`${named}: ${lacks.join(', ')}.`, remedy);
  } catch (error) {
    if (!isMissing(error, 'ResourceNotFoundException', 'TableNotFoundException')) throw error;
    return failed(
      `${named} does not exist.`,
      'Restore it (gateway restore), or adopt another one with -c tables.',
    );
  }
}

const hasStream = (purpose: TableName, { StreamSpecification: stream }: Description) =>
  !kindOf(purpose).hasStream ||
  (stream?.StreamEnabled === true && stream.StreamViewType === streamFormat.StreamViewType);
