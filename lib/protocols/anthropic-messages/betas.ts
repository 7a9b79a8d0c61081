/** The betas that a caller names, in the order of the header. */
import type { OriginalRequest } from '../../core/generation/original/original.ts';

export function betasIn({ headers }: OriginalRequest): readonly string[] {
  const names = (headers['anthropic-beta'] ?? '').split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}
