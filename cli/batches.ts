/** `batches list`, `show` and `cancel`, and `files list`: what tenants have in batches, and what providers have of them. */
import type { BatchAnswer, BatchRow } from '../lib/admin/batches/schema.ts';
import { formatDollars } from '../lib/core/accounting/money.ts';
import { asUsageError, byOption, callAdmin } from './call-admin.ts';
import type { Command, CommandOption } from './command.ts';
import {
  formatOptions,
  jsonOption,
  type Row,
  showMinute,
  timeOf,
  writeListing,
  writeOne,
} from './listing.ts';

const tenantOption: Readonly<Record<'tenant', CommandOption>> = {
  tenant: { value: '<name>', description: 'The tenant; needed for batches that have ended' },
};

const tenantOf = (options: Readonly<Record<string, string | undefined>>) =>
  options.tenant === undefined ? {} : { tenant: options.tenant };

const more = 'There are more, which are older.';

const batchesList: Command = {
  name: 'batches list',
  summary: 'List batches, newest first',
  description: 'Without --tenant, those of all tenants that have not ended.',
  options: { ...tenantOption, ...formatOptions },
  examples: ['batches list', 'batches list --tenant acme --json'],
  async run({ options, terminal, format, ...context }) {
    const { data, has_more: hasMore } = await callAdmin(
      context,
      'admin-batches-list',
      tenantOf(options),
    ).catch(asUsageError);
    const columns = [
      ...['id', 'tenant', 'key', 'status'],
      ['created_at', showMinute] as const,
      ...['lines', 'answered', 'models', 'cost_usd'],
    ];
    writeListing({ terminal, format }, data.map(rowOf), columns);
    if (hasMore) terminal.writeError(more);
  },
};

const dollars = (amount: number | null | undefined): string | null =>
  amount === null || amount === undefined ? null : formatDollars(amount);

function rowOf({
  counts,
  use,
  models,
  created_at,
  expires_at,
  status_at,
  object: _,
  ...batch
}: BatchRow): Row {
  return {
    ...batch,
    created_at: timeOf(created_at),
    expires_at: timeOf(expires_at),
    status_at: timeOf(status_at),
    lines: counts.total,
    answered: counts.completed + counts.failed,
    models: models.join(' '),
    cost_usd: dollars(use?.cost_nano_usd),
  };
}

const batchesShow: Command = {
  name: 'batches show',
  summary: 'Show a batch: its plan, its jobs at providers, and what is reserved for them',
  arguments: ['batch'],
  options: { ...tenantOption, ...jsonOption },
  examples: ['batches show batch_0192a0b1c2d3e4f5 --tenant acme'],
  async run({ arguments: [batch = ''], options, ...context }) {
    const input = { batch_id: batch, ...tenantOf(options) };
    const answer = await callAdmin(context, 'admin-batches-retrieve', input).catch(asUsageError);
    const { object: _, ...all } = answer;
    if (context.format === 'json') return writeOne(context, all);
    const { plan, job_list: jobs, problems, ...facts } = answer;
    writeOne(context, rowOf(facts as BatchRow));
    const { terminal } = context;
    for (const { code, line } of problems) terminal.write(line === null ? code : `line ${line}: ${code}`);
    for (const [title, rows] of [
      ['Plan', plan],
      ['Jobs', jobs.map(jobRow)],
    ] as const) {
      if (rows.length === 0) continue;
      terminal.write('');
      terminal.write(title);
      writeListing(context, rows);
    }
  },
};

const jobRow = (job: BatchAnswer['job_list'][number]): Row => ({
  job: job.n,
  by: job.by,
  model: job.model,
  region: job.region,
  lines: job.lines,
  status: job.status,
  answered: job.counts.completed + job.counts.failed,
  polls: job.polls,
  next_poll_at: timeOf(job.next_poll_at),
  held_usd: dollars(job.held_nano_usd),
  cost_usd: dollars(job.use?.cost_nano_usd),
});

const batchesCancel: Command = {
  name: 'batches cancel',
  summary: 'Cancel a batch',
  description:
    'What was not sent is dropped, and what providers have is cancelled there. What was answered by then is kept and billed.',
  arguments: ['batch'],
  options: { ...tenantOption, ...byOption },
  examples: ['batches cancel batch_0192a0b1c2d3e4f5 --tenant acme'],
  async run({ arguments: [batch = ''], options, terminal, ...context }) {
    const input = { batch_id: batch, ...tenantOf(options) };
    const { id, status } = await callAdmin({ ...context, options }, 'admin-batches-cancel', input).catch(
      asUsageError,
    );
    terminal.write(`The batch ${id} is ${status}.`);
  },
};

const filesList: Command = {
  name: 'files list',
  summary: 'List the files of a tenant, newest first',
  arguments: ['tenant'],
  options: formatOptions,
  examples: ['files list acme'],
  async run({ arguments: [tenant = ''], terminal, format, ...context }) {
    const { data, has_more: hasMore } = await callAdmin(context, 'admin-files-list', { tenant }).catch(
      asUsageError,
    );
    const rows = data.map(({ object: _, created_at, expires_at, ...file }) => ({
      ...file,
      created_at: timeOf(created_at),
      expires_at: timeOf(expires_at),
    }));
    const columns = [
      ...['id', 'key', 'purpose', 'filename', 'bytes'],
      ['created_at', showMinute] as const,
      ['expires_at', showMinute] as const,
    ];
    writeListing({ terminal, format }, rows, columns);
    if (hasMore) terminal.writeError(more);
  },
};

export const batchCommands: readonly Command[] = [batchesList, batchesShow, batchesCancel, filesList];
