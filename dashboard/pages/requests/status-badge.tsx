/** How a request ended, in a word. */
import type { RequestRow } from '../../../lib/admin/requests/schema.ts';
import { Badge, type Tone } from '../../components/surfaces.tsx';

type Ending = Pick<RequestRow, 'status' | 'http_status' | 'error'>;

const tones: Readonly<Record<RequestRow['status'], Tone | undefined>> = {
  ok: undefined,
  failed: 'bad',
  open: 'accent',
  interrupted: 'warn',
};

const words: Readonly<Record<RequestRow['status'], string>> = {
  ok: 'ok',
  failed: 'failed',
  open: 'running',
  interrupted: 'interrupted',
};

export function StatusBadge({ status, http_status: http, error }: Ending) {
  const tone = tones[status];
  const code = status === 'failed' ? (http ?? '') : '';
  return (
    <span title={error ?? undefined}>
      <Badge {...(tone && { tone })}>
        <span class={code === '' ? undefined : 'wide'}>{words[status]} </span>
        {code}
      </Badge>
    </span>
  );
}
