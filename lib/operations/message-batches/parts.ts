/** What the operations of message batches need beside those of batches. */
import * as z from 'zod/mini';
import type { Call } from '../../core/endpoint.ts';
import type { BatchParts } from '../batches/batch-parts.ts';
import type { FilesParts } from '../files/files-parts.ts';

export interface MessageBatchParts
  extends BatchParts,
    Pick<FilesParts, 'bytes' | 'newPartName' | 'maxAnswerBytes'> {
  /** The public base URL of the gateway, with the version, if the operator has set one. */
  readonly baseUrl: string | undefined;
}

/** The path of one of them. */
export const ofMessageBatch = z.object({ message_batch_id: z.string() });

export const contract = 'anthropic';

/** The base URL for a caller, without the version. */
export const baseOf = (
  { baseUrl }: Pick<MessageBatchParts, 'baseUrl'>,
  { reachedAt }: Pick<Call<unknown>, 'reachedAt'>,
): string => baseUrl?.replace(/\/v1\/?$/, '') ?? reachedAt?.() ?? '';
