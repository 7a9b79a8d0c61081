/** `setup`: makes what a gateway without a stack needs before its first request: tables, models, and a first key. */

import { seedRows } from '../infra/catalog/seed.ts';
import { syncWithSeed } from '../infra/catalog/sync.ts';
import { setUpTable } from '../infra/tables/setup-tables.ts';
import { tableNames } from '../lib/core/tables.ts';
import { asUsageError } from './call-admin.ts';
import { type Command, type Installation, type Output, UsageError, withInstallation } from './command.ts';

const firstTenant = 'default';

export const setup: Command = {
  name: 'setup',
  summary: 'Create the tables, the catalog and a first key of a gateway without a stack',
  description:
    'For the server in a container: CATALOG_TABLE, ACCESS_TABLE, STATE_TABLE, USAGE_TABLE and FILES_TABLE name the tables, AWS_REGION their region, and DYNAMODB_ENDPOINT the database if it is not in AWS. What exists stays as it is. While there is no key, one is made; it is the last line of the output, and is not shown again.',
  options: {
    tenant: { value: '<name>', description: `The tenant of the first key (default: ${firstTenant})` },
    'without-key': { description: 'Make no key' },
  },
  examples: ['setup', 'setup --tenant acme', 'setup --without-key'],
  async run({ options, flags, terminal, ...context }) {
    await withInstallation(context, async (installation) => {
      await makeTables(installation, terminal);
      const synced = await syncWithSeed(installation.catalog, seedRows);
      const written = synced.filter(({ state }) => state === 'new' || state === 'changed').length;
      terminal.write(`Catalog: ${written} models written, ${synced.length - written} unchanged.`);
      if (!flags.has('without-key'))
        await makeFirstKey(installation, options.tenant ?? firstTenant, terminal);
    });
  },
};

async function makeTables({ database }: Installation, terminal: Output): Promise<void> {
  if (!database || database.stack !== undefined)
    throw new UsageError(
      'No tables are named: set CATALOG_TABLE, ACCESS_TABLE, STATE_TABLE, USAGE_TABLE, FILES_TABLE and AWS_REGION. `npm start` and a stack make their own.',
    );
  const { call, nameOf, isAws } = database;
  const made = await Promise.all(
    tableNames.map((purpose) => setUpTable(purpose, nameOf(purpose), { call, isAws })),
  );
  for (const { purpose, table, state, lacks } of made) {
    const missing = lacks.length > 0 ? ` This database has no ${lacks.join(' and no ')}.` : '';
    terminal.write(`Table ${purpose} (${table}): ${state}.${missing}`);
  }
}

async function makeFirstKey(
  { keys, keyEdits }: Installation,
  tenant: string,
  terminal: Output,
): Promise<void> {
  const count = (await keyEdits.list({})).length;
  if (count > 0) return terminal.write(`Keys: there are ${count}, so none was made.`);
  const made = await keys.create({ tenant, name: 'first key' }).catch(asUsageError);
  terminal.write(`Created key ${made.id} for tenant ${made.tenant}. Copy it now: it is not shown again.`);
  terminal.write(made.secret);
}
