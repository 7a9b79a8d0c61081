/** The operations of batches on stores in memory, called as a request with a body or a query calls them. */
import type * as z from 'zod/mini';
import type { Batch, BatchRef } from '../../../lib/core/batches.ts';
import type { Answer, Call, Endpoint } from '../../../lib/core/endpoint.ts';
import { maxFileSeconds, type StoredFile } from '../../../lib/core/files.ts';
import type { FoundApiKey } from '../../../lib/core/ports/api-keys.ts';
import { validate } from '../../../lib/http/request/validate.ts';
import type { MessageBatchParts } from '../../../lib/operations/message-batches/parts.ts';
import { memoryBatches, memoryBytes, memoryFiles } from './memory-stores.ts';

export const testKey: FoundApiKey = { id: 'key-1', tenant: 'acme', hash: 'hash-1' };
export const foreignKey: FoundApiKey = { id: 'key-2', tenant: 'globex', hash: 'hash-2' };

export interface Sent {
  readonly key?: FoundApiKey;
  readonly headers?: Readonly<Record<string, string>>;
}

export function batchOperations(more: Partial<MessageBatchParts> = {}) {
  const started: BatchRef[] = [];
  const warnings: string[] = [];
  let time = Date.UTC(2026, 10, 28, 12);
  let named = 0;
  const parts: MessageBatchParts = {
    batches: memoryBatches(),
    files: memoryFiles(),
    bytes: memoryBytes(),
    start: async (ref) => {
      started.push(ref);
    },
    now: () => time,
    log: { warn: (message) => warnings.push(message) },
    batchMode: 'native',
    fileSeconds: maxFileSeconds,
    newPartName: (tenant) => `t/${tenant}/f/${named++}`,
    baseUrl: undefined,
    ...more,
  };
  return {
    parts,
    started,
    warnings,
    pass(seconds: number) {
      time += seconds * 1_000;
    },
    async call<Schema extends z.core.$ZodType, Input>(
      endpoint: Endpoint<Schema, Input>,
      given: object,
      { key = testKey, headers = {} }: Sent = {},
    ): Promise<Answer> {
      const header = (name: string) => headers[name];
      const input = endpoint.read(validate(endpoint.schema, given), given, header);
      const reachedAt = () => 'https://gateway.example/prod';
      return await endpoint.answer({ input, key, reachedAt } as Call<Input>);
    },
    /** Stores a file of these lines. */
    async addFile(lines: readonly object[], facts: Partial<StoredFile> = {}): Promise<StoredFile> {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      named += 1;
      const part = await parts.bytes.put(`part-${named}`, Buffer.from(text));
      const file: StoredFile = {
        tenant: testKey.tenant,
        id: `file-${named}`,
        key: testKey.id,
        filename: 'lines.jsonl',
        purpose: 'batch',
        bytes: part.bytes,
        createdAt: 0,
        expiresAt: Number.MAX_SAFE_INTEGER,
        parts: [part],
        ...facts,
      };
      await parts.files.put(file);
      return file;
    },
    /** What a worker writes. */
    async change(id: string, changes: Partial<Batch>): Promise<Batch> {
      const batch = await parts.batches.find(testKey.tenant, id);
      const changed = batch && (await parts.batches.change(batch, changes));
      if (!changed) throw new Error('The batch was not changed.');
      return changed;
    },
  };
}

export const bodyOf = (answer: Answer): Readonly<Record<string, unknown>> => {
  if (answer.type !== 'json') throw new Error('The answer is no JSON.');
  return answer.body as Readonly<Record<string, unknown>>;
};
