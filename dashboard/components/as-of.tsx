/** When what is shown was read, whether a later reading failed, and a button that reads it. */
import type { Read } from '../api/use-read.ts';
import { exactMoment, moment } from '../format/times.ts';
import { IconButton } from './controls.tsx';
import { Badge } from './surfaces.tsx';

type AsOfProps = Pick<Read<unknown>, 'readAt' | 'error' | 'reload'>;

export const AsOf = ({ readAt, error, reload }: AsOfProps) => (
  <p class="as-of quiet">
    {error && <Badge tone="warn">stale</Badge>}
    {readAt !== undefined && <time title={exactMoment(readAt)}>as of {moment(readAt)} UTC</time>}
    <IconButton icon="refresh" label="Read again" onClick={reload} />
  </p>
);
