/** What rules of guardrails did with a request. What they found is not on record. */
import type { RequestAnswer } from '../../../lib/admin/requests/schema.ts';
import { Badge, type Tone } from '../../components/surfaces.tsx';
import { amount } from '../../format/money.ts';
import { duration } from '../../format/times.ts';

type Guard = RequestAnswer['guardrails'][number];

const looks: Readonly<Record<Guard['action'] | 'not_asked', readonly [word: string, tone?: Tone]>> = {
  pass: ['passed'],
  flag: ['flagged', 'warn'],
  redact: ['redacted', 'accent'],
  failed: ['failed', 'bad'],
  block: ['blocked', 'bad'],
  not_asked: ['not asked'],
};

export function Verdict({ action }: { readonly action: keyof typeof looks }) {
  const [word, tone] = looks[action];
  return <Badge {...(tone && { tone })}>{word}</Badge>;
}

export const Guards = ({ guards }: { readonly guards: readonly Guard[] }) => (
  <ul class="attempts">
    {guards.map((guard) => (
      <li key={`${guard.guardrail} ${guard.rule} ${guard.phase}`}>
        <GuardLine {...guard} />
      </li>
    ))}
  </ul>
);

function GuardLine({ guardrail, version, rule, phase, action, labels, ms, cost_nano_usd: nano }: Guard) {
  const cost = nano === 0 ? [] : [nano === null ? 'of unknown cost' : amount(nano).exact];
  return (
    <p>
      {rule} of <span title={`Version ${version}`}>{guardrail}</span> <Verdict action={action} />{' '}
      <span class="quiet">
        {[phase === 'input' ? 'input' : 'answer', ...labels, duration(ms), ...cost].join(', ')}
      </span>
    </p>
  );
}
