/** What items of files and of uploads have in common, and how parts of bytes are in an item. */
import * as z from 'zod/mini';
import { type FilePart, filePurposes, type StoredFile } from '../../core/files.ts';
import { expiryAttribute, partitionKey, sortKey } from '../../core/tables.ts';

type FileFacts = Omit<StoredFile, 'parts'>;

export const factFields = {
  [partitionKey]: z.string(),
  [sortKey]: z.string(),
  key: z.string(),
  filename: z.string(),
  purpose: z.enum(filePurposes),
  bytes: z.number(),
  created_at: z.number(),
  [expiryAttribute]: z.number(),
};

export const writeFacts = (facts: FileFacts) => ({
  key: facts.key,
  filename: facts.filename,
  purpose: facts.purpose,
  bytes: facts.bytes,
  created_at: facts.createdAt,
  [expiryAttribute]: facts.expiresAt,
});

export const readFacts = (item: z.infer<z.ZodMiniObject<typeof factFields>>): FileFacts => ({
  tenant: item[partitionKey],
  id: item[sortKey],
  key: item.key,
  filename: item.filename,
  purpose: item.purpose,
  bytes: item.bytes,
  createdAt: item.created_at,
  expiresAt: item[expiryAttribute],
});

/** The parts in an item: their names and lengths by turns, since an item has room for 400 KB. */
export const partsItem = z.array(z.union([z.string(), z.number()]));

export const writeParts = (parts: readonly FilePart[]): readonly (string | number)[] =>
  parts.flatMap(({ name, bytes }) => [name, bytes]);

export const readPartsItem = (flat: z.infer<typeof partsItem>): readonly FilePart[] =>
  flat.flatMap((name, index) => (typeof name === 'string' ? [{ name, bytes: Number(flat[index + 1]) }] : []));
