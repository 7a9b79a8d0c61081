/** When what is shown was read, whether a later reading failed, and a button that reads it. */
import type { Read } from '../api/use-read.ts';
import { exactMoment, moment } from '../format/times.ts';
import { IconButton } from './controls.tsx';
import { Badge } from './surfaces.tsx';

interface AsOfProps extends Pick<Read<unknown>, 'readAt' | 'error' | 'reload'> {
  /** Up to when the sums have everything, in Unix seconds; null: unknown. */
  readonly asOf: number | null | undefined;
}

/** Sums that are so many seconds behind are marked. */
const lateSeconds = 300;

export const AsOf = ({ readAt, asOf, error, reload }: AsOfProps) => (
  <p class="as-of row quiet">
    {error && <Badge tone="warn">stale</Badge>}
    {readAt !== undefined && <When at={Math.min(readAt, asOf ?? readAt)} readAt={readAt} />}
    <IconButton icon="refresh" label="Read again" onClick={reload} />
  </p>
);

const When = ({ at, readAt }: { readonly at: number; readonly readAt: number }) => (
  <>
    {readAt - at >= lateSeconds && (
      <span title="Requests that ended later are not in the sums yet">
        <Badge tone="warn">sums behind</Badge>
      </span>
    )}
    <time title={exactMoment(at)}>as of {moment(at)} UTC</time>
  </>
);
