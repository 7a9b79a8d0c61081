/** Tables that a failed creation, or a stack that was deleted, has left: they are protected, and cost money. Source: docs.aws.amazon.com DynamoDB, API_ListTables. */

import { dataStackName, pascalCase } from '../../../infra/names.ts';
import { act } from '../../../infra/tables/table-calls.ts';
import { tableNames } from '../../../lib/core/tables.ts';
import { ok, type StackCheck, type StackContext, warning } from '../check.ts';

/** More than any account has: one region has at most 10,000 tables by default, and a page has 100. */
const maxPages = 100;

export const orphanTables: StackCheck = {
  id: 'orphan-tables',
  title: 'Orphan tables',
  of: 'stack',
  about: 'No table of an earlier creation of this stack is left over.',
  needs: ['dynamodb:ListTables'],
  async run(context) {
    const { gateway } = context;
    const outputs = (await gateway.facts())?.outputs;
    const used = tableNames.map((name) => outputs?.get(`${pascalCase(name)}Table`));
    const names = await listTables(context);
    const ours = nameOfTable(gateway.name);
    const orphans = names.filter((name) => ours.test(name) && !used.includes(name));
    if (orphans.length === 0) return [ok('none.')];
    const remedy =
      'Adopt them with -c tables, or, if nothing in them is needed, turn their deletion protection off and delete them.';
    return [warning(`not used by the stack: ${orphans.join(', ')}.`, remedy)];
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
