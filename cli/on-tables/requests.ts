/** Operations on requests, batches and their files. */
import { cancelBatch } from '../../lib/admin/batches/cancel.ts';
import { listFiles } from '../../lib/admin/batches/files.ts';
import { listBatches } from '../../lib/admin/batches/list.ts';
import { retrieveBatch } from '../../lib/admin/batches/retrieve.ts';
import { cancelRequest } from '../../lib/admin/requests/cancel.ts';
import { listRunning } from '../../lib/admin/requests/list.ts';
import type { RequestsListQuery } from '../../lib/admin/requests/schema.ts';
import { unbegunOf } from '../../lib/core/accounting/interrupted.ts';
import type { User } from '../../lib/core/admin/user.ts';
import { newId } from '../../lib/core/names/new-id.ts';
import type { Installation } from '../command.ts';

type BatchParts = Parameters<typeof cancelBatch>[0] &
  Parameters<typeof listBatches>[0] &
  Parameters<typeof listFiles>[0];

/** The worker of a batch that is cancelled finds it when it is due. */
const ofBatches =
  <Input, Answer>(work: (parts: BatchParts, user: User, input: Input) => Promise<Answer>) =>
  ({ keyEdits, batches, files, audit, now }: Installation, user: User, input: Input): Promise<Answer> =>
    work({ keys: keyEdits, batches: batches(), files: files(), audit, now }, user, input);

export const onRequests = {
  // Of those that have ended, the ledger is exported.
  'admin-requests-list': (
    { keyEdits, running, runs, now }: Installation,
    user: User,
    input: RequestsListQuery,
  ) => listRunning({ keys: keyEdits, running, runs: runs(), now }, user, input),
  'admin-requests-cancel': (
    { keyEdits, usage, runs, audit, now }: Installation,
    user: User,
    input: { readonly request_id: string; readonly tenant: string },
  ) =>
    cancelRequest(
      {
        ...{ keys: keyEdits, usage, runs: runs(), audit, now, sums: { tenantCharges: async () => [] } },
        async release({ record, partitions }) {
          await usage.record(unbegunOf(record), newId('write_'), partitions);
        },
      },
      user,
      input,
    ),
  'admin-batches-list': ofBatches(listBatches),
  'admin-batches-retrieve': ofBatches(retrieveBatch),
  'admin-batches-cancel': ofBatches(cancelBatch),
  'admin-files-list': ofBatches(listFiles),
};
