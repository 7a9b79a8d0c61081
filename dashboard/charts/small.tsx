/** Small charts beside the same number as text. */
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
      <path class="trend" d={sparkPath(values, width, height)} />
    </svg>
  );
}

/** One bar of a list; `part` of 0 to 1. */
export function ShareBar({ part }: { readonly part: number }) {
  return (
    <svg class="share-bar" width="100%" height={4} aria-hidden="true">
      <rect class="track" width="100%" height={4} rx={2} />
      <rect
        class="part"
        width={`${Math.max(part > 0 ? 0.5 : 0, part * 100).toFixed(2)}%`}
        height={4}
        rx={2}
      />
    </svg>
  );
}

interface BudgetBarProps {
  /** Such as `Budget of this month`. */
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  /** In words, with the amounts. */
  readonly text: string;
  /** How much of the period is over, of 0 to 1; null: it has no end. */
  readonly passed: number | null;
}

export function BudgetBar({ label, used, limit, text, passed }: BudgetBarProps) {
  const part = limit > 0 ? Math.min(1, used / limit) : 1;
  const state = used >= limit ? 'used-up' : part >= 0.8 ? 'nearly' : 'within';
  return (
    <svg class={`budget ${state}`} width="100%" height={10} role="img" aria-label={`${label}: ${text}`}>
      <rect class="track" y={2} width="100%" height={6} rx={3} />
      <rect class="used" y={2} width={percent(part)} height={6} rx={3} />
      {passed !== null && <rect class="passed" x={percent(passed)} width={2} height={10} />}
    </svg>
  );
}

const percent = (part: number) => `${(part * 100).toFixed(2)}%`;
