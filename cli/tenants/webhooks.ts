/** `webhooks list` and `webhooks test`: what a tenant's webhook was to get, and whether it can be reached. */
import type { DeliveryRow } from '../../lib/admin/tenants/webhook-schema.ts';
import { asUsageError, byOption, callAdmin } from '../call-admin.ts';
import type { Command } from '../command.ts';
import { jsonOption, type Row, timeOf, writeListing, writeOne } from '../listing.ts';

const columns = ['created_at', 'type', 'data_id', 'state', 'attempts', 'last_result', 'next_attempt_at'];

const webhooksList: Command = {
  name: 'webhooks list',
  summary: 'List the last events for the webhook of a tenant',
  description:
    'They are the ends of its background responses, at most 100 of the last seven days. Set the URL with: tenants set-alerts <tenant> --webhook <url>',
  arguments: ['tenant'],
  options: jsonOption,
  examples: ['webhooks list acme', 'webhooks list acme --json'],
  async run({ arguments: [tenant = ''], ...context }) {
    const { url, enabled, deliveries } = await callAdmin(context, 'admin-webhook-retrieve', { tenant });
    if (context.format === 'json')
      return writeListing(
        context,
        deliveries.map(({ object: _, ...row }) => row),
      );
    const { terminal } = context;
    if (url === null) terminal.writeError(`Tenant ${tenant} has no webhook.`);
    else if (!enabled)
      terminal.writeError(`${url} answered 410 and gets no events. Set it again to enable it.`);
    if (deliveries.length === 0) terminal.writeError('No events found.');
    writeListing(context, deliveries.map(rowOf), columns);
  },
};

function rowOf({ attempts, created_at, next_attempt_at, ...delivery }: DeliveryRow): Row {
  const last = attempts.at(-1);
  return {
    ...delivery,
    created_at: timeOf(created_at),
    attempts: attempts.length,
    last_result: last?.status ?? last?.failure,
    next_attempt_at: timeOf(next_attempt_at),
  };
}

const webhooksTest: Command = {
  name: 'webhooks test',
  summary: 'Post a test event to the webhook of a tenant',
  description:
    'The event has the type webhook.test. With --url the gateway posts it, otherwise this machine. The command fails unless the receiver accepts it.',
  arguments: ['tenant'],
  options: { ...byOption, ...jsonOption },
  examples: ['webhooks test acme'],
  async run({ arguments: [tenant = ''], ...context }) {
    const { object: _, ...result } = await callAdmin(context, 'admin-webhook-test', { tenant }).catch(
      asUsageError,
    );
    writeOne(context, result);
    if (result.failure !== null)
      throw new Error(`The webhook of tenant ${tenant}: ${reasons[result.failure]}.`);
    if (result.status === null || result.status < 200 || result.status > 299)
      throw new Error(`The webhook of tenant ${tenant} answered with status ${result.status}.`);
  },
};

const reasons = {
  address_refused: 'its address is not on the public internet, or not https',
  gone: 'its receiver answered 410',
  no_webhook: 'there is none',
  unreachable: 'its receiver did not answer in time',
} as const;

export const webhookCommands: readonly Command[] = [webhooksList, webhooksTest];
