/** Small charts beside the same number as text: they are not read aloud. */
import { sparkPath } from './paths.ts';

const spark = { width: 96, height: 28 };

export function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const { width, height } = spark;
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <path class="trend series-1" d={sparkPath(values, width, height)} />
    </svg>
  );
}

/** One bar of a list; `part` of 0 to 1. */
export function ShareBar({ part }: { readonly part: number }) {
  return (
    <svg class="share-bar" width="100%" height={4} aria-hidden="true">
      <rect class="track" width="100%" height={4} rx={2} />
      <rect
        class="series-1"
        width={`${Math.max(part > 0 ? 0.5 : 0, part * 100).toFixed(2)}%`}
        height={4}
        rx={2}
      />
    </svg>
  );
}
