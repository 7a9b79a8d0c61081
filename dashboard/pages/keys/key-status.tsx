/** Whether a key works. */
import type { KeyRow } from '../../../lib/admin/keys/schema.ts';
import { Badge, type Tone } from '../../components/surfaces.tsx';

const day = 86_400;

export function KeyStatus({ shown: { status, expires_at: end } }: { readonly shown: KeyRow }) {
  const left = end === null ? undefined : Math.ceil((end - Date.now() / 1_000) / day);
  if (status === 'active' && left !== undefined && left <= 7)
    return <Badge tone="warn">{left <= 1 ? 'ends within a day' : `ends in ${left} days`}</Badge>;
  const tones: Partial<Record<KeyRow['status'], Tone>> = { active: 'good', disabled: 'bad' };
  return <Badge tone={tones[status]}>{status}</Badge>;
}
