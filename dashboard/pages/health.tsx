/** How a deployment or a provider did lately, in a word, with the figures beside it. */
import type { HealthAnswer } from '../../lib/admin/health-schema.ts';
import { Badge, type Tone } from '../components/surfaces.tsx';
import { count, exactCount } from '../format/numbers.ts';
import { ago } from '../format/times.ts';

const tones: Readonly<Record<HealthAnswer['state'], Tone | undefined>> = {
  healthy: 'good',
  degraded: 'warn',
  failing: 'bad',
  unknown: undefined,
};

/** Nothing is known of most deployments: only what is known has a colour. */
export const Health = ({ health }: { readonly health: HealthAnswer }) => {
  const tone = tones[health.state];
  return (
    <span title={titleOf(health)}>
      {tone ? <Badge tone={tone}>{health.state}</Badge> : <span class="quiet">not called lately</span>}
    </span>
  );
};

function titleOf({ state, attempts, failures }: HealthAnswer): string {
  if (attempts === null && state !== 'unknown') return 'In the last three hours';
  if (!attempts) return 'No call in the last three hours is known';
  return `${exactCount(attempts)} calls in the last three hours, ${exactCount(failures ?? 0)} failed`;
}

/** What failed, by its code. */
export const Failures = ({ health }: { readonly health: HealthAnswer }) => {
  const { state, attempts, failures, failures_by_code: codes, last_failure_at: last } = health;
  // Only operators see the counts.
  if (attempts === null && state !== 'unknown') return null;
  if (!attempts) return <p class="quiet">No call in the last three hours is known.</p>;
  if (!failures)
    return <p class="quiet">{exactCount(attempts)} calls in the last three hours, none failed.</p>;
  return (
    <>
      <p>
        {exactCount(failures)} of {exactCount(attempts)} calls in the last three hours failed
        {last !== null && `, the last ${ago(last, Date.now() / 1_000)}`}.
      </p>
      <ul class="codes">
        {codes.map(({ code, count: times }) => (
          <li key={code}>
            <code>{code}</code> <span class="quiet">{count(times)}</span>
          </li>
        ))}
      </ul>
    </>
  );
};
