/** What is used of a budget, and how far its period has gone. */

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
