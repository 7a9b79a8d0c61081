/** Joins the many small parts that results written each few seconds have: a job's row, and that of a file, name them all. */
import { readParts, storeBytes } from '../../core/file-bytes.ts';
import { type ByteStore, type FilePart, partBytes } from '../../core/files.ts';

/** So many small parts may there be. */
const maxSmallParts = 32;

const isSmall = ({ bytes }: FilePart): boolean => bytes < partBytes / 2;

/** The same bytes in fewer parts, and the names of those that are no longer needed. Undefined while there are few. */
export async function joinSmall(
  parts: readonly FilePart[],
  bytes: ByteStore,
  newName: () => string,
): Promise<{ readonly parts: readonly FilePart[]; readonly left: readonly string[] } | undefined> {
  const small = parts.filter(isSmall);
  if (small.length <= maxSmallParts) return undefined;
  const joined = await storeBytes(readParts(small, bytes), bytes, newName);
  return {
    parts: [...parts.filter((part) => !isSmall(part)), ...joined.parts],
    left: small.map(({ name }) => name),
  };
}
