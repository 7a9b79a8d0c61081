/**
 * Parts of stored conversations: JSON, compressed, encrypted with a key of its own, in pieces of the table
 * (`response#<tenant>#<owner>#<name>#<n>`). The key is only in the responses that refer to the part.
 */
import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { mapConcurrently } from '../../async/map-concurrently.ts';
import type { SharedPart } from '../../core/stored-response.ts';
import { expiryAttribute } from '../../core/tables.ts';
import type { Table } from '../dynamodb/table.ts';
import { compress, decompress } from './compression.ts';

/** Bytes of a piece, compressed. DynamoDB allows 400 KB for an item. */
export const maxPieceBytes = 300 * 1024;

/** How many pieces are read or written at the same time. */
const concurrency = 4;

const consistent = { consistent: true };

const algorithm = 'aes-256-gcm';

/** What an authenticated piece is longer than its content. */
const tagBytes = 16;

/** `prefix`: of a response's keys, `response#<tenant>#<id>`. */
export interface Place {
  readonly table: Table;
  readonly prefix: (owner: string) => string;
  readonly pieceBytes: number;
}

/** Writes the whole part. Without the result, it can never be read. */
export async function writePart(
  { table, prefix, pieceBytes }: Place,
  json: Buffer,
  { owner, expiresAt }: Pick<SharedPart, 'owner' | 'expiresAt'>,
): Promise<SharedPart> {
  const data = await compress(json);
  const key = randomBytes(32).toString('base64');
  const pieces = Math.ceil(data.length / pieceBytes);
  const part = { owner, name: randomUUID(), key, pieces, bytes: json.length, expiresAt };
  await eachPiece(part, prefix, async (pieceKey, index) => {
    const piece = data.subarray(index * pieceBytes, (index + 1) * pieceBytes);
    await table.put(pieceKey, { data: seal(piece, part, pieceKey, index), [expiryAttribute]: expiresAt });
  });
  return part;
}

/** The JSON, or undefined if a piece is missing or damaged. */
export async function readPart({ table, prefix }: Place, part: SharedPart): Promise<Buffer | undefined> {
  const pieces = await eachPiece(part, prefix, async (pieceKey, index) => {
    const { data } = (await table.get(pieceKey, consistent)) ?? {};
    return data instanceof Uint8Array ? unseal(data, part, pieceKey, index) : undefined;
  });
  const whole = pieces.filter((piece) => piece !== undefined);
  return whole.length === pieces.length ? await decompress(Buffer.concat(whole), part.bytes) : undefined;
}

/** The part as it is until a later time. Rejects if a piece is missing. */
export async function extendPart(
  { table, prefix }: Place,
  part: SharedPart,
  expiresAt: number,
): Promise<SharedPart> {
  await eachPiece(part, prefix, async (pieceKey) => {
    if (await table.set(pieceKey, expiryAttribute, expiresAt)) return;
    throw new Error('A part of the conversation is no longer stored.');
  });
  return { ...part, expiresAt };
}

/** Only for a part that no other response can refer to. */
export async function removePart({ table, prefix }: Place, part: SharedPart): Promise<void> {
  await eachPiece(part, prefix, (pieceKey) => table.remove(pieceKey));
}

function eachPiece<Result>(
  { owner, name, pieces }: Pick<SharedPart, 'owner' | 'name' | 'pieces'>,
  prefix: Place['prefix'],
  work: (pieceKey: string, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const keys = Array.from({ length: pieces }, (_, index) => `${prefix(owner)}#${name}#${index}`);
  return mapConcurrently(keys, concurrency, work);
}

/** A part has a key of its own, so that the index of a piece is used once with it. */
function nonceOf(index: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 8);
  return nonce;
}

type Sealed = Pick<SharedPart, 'key'>;

/** `index`: never given twice with one key. */
export function seal(piece: Uint8Array, { key }: Sealed, pieceKey: string, index: number): Buffer {
  const cipher = createCipheriv(algorithm, Buffer.from(key, 'base64'), nonceOf(index));
  cipher.setAAD(Buffer.from(pieceKey));
  return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined where it is not what was encoded under this key. */
export function unseal(
  encoded: Uint8Array,
  { key }: Sealed,
  pieceKey: string,
  index: number,
): Buffer | undefined {
  const end = encoded.length - tagBytes;
  const decipher = createDecipheriv(algorithm, Buffer.from(key, 'base64'), nonceOf(index), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(pieceKey));
  try {
    decipher.setAuthTag(encoded.subarray(end));
    return Buffer.concat([decipher.update(encoded.subarray(0, end)), decipher.final()]);
  } catch {
    return undefined;
  }
}
