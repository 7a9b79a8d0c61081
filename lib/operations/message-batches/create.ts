/** Creates a batch of messages: `POST /v1/messages/batches`, with its requests in the body, or in a file. */
import * as z from 'zod/mini';
import type { Batch } from '../../core/batches.ts';
import type { Endpoint, ReadHeader } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { jsonLine } from '../../core/formats/json-lines.ts';
import { asArray, asObject } from '../../core/formats/json-object.ts';
import { requireMayStore } from '../../core/may-store.ts';
import { timedId } from '../../core/names/new-id.ts';
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import { type AskedBatch, beginBatch, checkMayBegin } from '../batches/begin-batch.ts';
import { batchExtra, readOptions } from '../batches/given-options.ts';
import { findInputFile } from '../batches/input-file.ts';
import { beginOnce, isSentAgain } from '../batches/sent-again.ts';
import { indexOfDuplicate } from '../read-request.ts';
import { jsonObject, nullish, nullishText, someText } from '../request-schema.ts';
import { writeMessageBatch } from './batch-object.ts';
import { storeInput } from './input.ts';
import { baseOf, contract, type MessageBatchParts } from './parts.ts';

/** Source: platform.claude.com/docs/en/build-with-claude/batch-processing. */
const maxBatchRequests = 100_000;

const customId = z
  .string()
  .check(
    z.regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must have 1 to 64 characters: letters, digits, underscores or dashes'),
  );

const request = z.strictObject({ custom_id: customId, params: jsonObject });

export const messageBatchesSchema = z.strictObject({
  requests: nullish(z.array(request).check(z.minLength(1), z.maxLength(maxBatchRequests))),
  requests_file_id: nullish(someText),
  // Accepted, without effect.
  user_profile_id: nullishText,
  extra: batchExtra,
});

type Body = z.infer<typeof messageBatchesSchema>;

interface Input {
  readonly asked: AskedBatch;
  /** The id of a file, or the lines of one. */
  readonly requests: string | readonly Buffer[];
  readonly isSentAgain: boolean;
}

export function createMessageBatchEndpoint(
  parts: MessageBatchParts,
): Endpoint<typeof messageBatchesSchema, Input> {
  return {
    schema: messageBatchesSchema,
    passesNumbers: true,
    read,
    async answer(call) {
      const batch = await createOnce(parts, call.input, call.key as FoundApiKey);
      return { type: 'json', body: writeMessageBatch(batch, baseOf(parts, call)) };
    },
  };
}

function read(body: Body, given: unknown, header?: ReadHeader): Input {
  const { requests, requests_file_id: file, extra } = body;
  if (requests != null && file != null)
    throw invalid('requests_file_id', "must not be sent together with 'requests'");
  const asked = {
    contract,
    operation: 'messages',
    ...(requests && { lines: requests.length }),
    ...readOptions(extra, header),
  } as const;
  return { asked, requests: file ?? readRequests(body, given), isSentAgain: isSentAgain(header) };
}

/** The requests as the caller wrote them, a line for each. */
function readRequests({ requests }: Body, given: unknown): readonly Buffer[] {
  if (requests == null)
    throw new GatewayError('invalid_request', "Missing required parameter: 'requests'.", {
      param: 'requests',
    });
  const twice = indexOfDuplicate(requests.map(({ custom_id: id }) => id));
  if (twice !== undefined) throw invalid(`requests.${twice}.custom_id`, 'is that of an earlier request');
  return asArray(asObject<Body>(given).requests).map((one) => {
    const { custom_id, params } = asObject<Body['requests'] & z.infer<typeof request>>(one);
    return Buffer.from(jsonLine({ custom_id, params }));
  });
}

async function createOnce(parts: MessageBatchParts, input: Input, key: FoundApiKey): Promise<Batch> {
  const { batches, files, now } = parts;
  const { asked, requests } = input;
  const { tenant } = key;
  const creation = { key, asked, input: requests, isSentAgain: input.isSentAgain };
  const { id, first } = await beginOnce(batches, { ...creation, id: timedId('msgbatch_', now()) });
  if (first) return first;
  requireMayStore(key, 'requests');
  await checkMayBegin(parts, key, 'messages');
  if (typeof requests === 'string') {
    const file = await findInputFile(files, { tenant, id: requests, param: 'requests_file_id' });
    return await beginBatch(parts, { id, key, asked, input: file });
  }
  const file = await storeInput(parts, { id, key, lines: requests });
  const batch = await beginBatch(parts, { id, key, asked, input: file });
  // Both requests have stored theirs.
  if (batch.inputFile !== file.id) await files.remove(tenant, file.id);
  return batch;
}
