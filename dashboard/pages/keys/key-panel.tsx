/** One key: what it may, what it has used, and what can be done with it. */
import { useState } from 'preact/hooks';
import type { KeyAnswer, KeyRow, RotatedKeyAnswer } from '../../../lib/admin/keys/schema.ts';
import type { Session } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import { Identifier } from '../../components/code.tsx';
import { Button } from '../../components/controls.tsx';
import { Link } from '../../components/link.tsx';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { Badge, Definitions, Section, type Tone } from '../../components/surfaces.tsx';
import { Panel } from '../../components/windows.tsx';
import { exactMoment } from '../../format/times.ts';
import { cacheWords } from '../cache-words.ts';
import { policyWords } from '../data-policy.ts';
import { LimitUses } from '../limits.tsx';
import { MonthSpend } from '../money-columns.tsx';
import { ChangeKey, DisableKey, EnableKey, keyPath, RotateKey } from './key-dialogs.tsx';

interface KeyPanelProps {
  readonly id: string;
  readonly session: Session;
  readonly onClose: () => void;
  readonly onRotated: (made: RotatedKeyAnswer) => void;
}

export function KeyPanel({ id, session, onClose, onRotated }: KeyPanelProps) {
  const { data: key, error, reload } = useRead<KeyAnswer>(keyPath(id));
  const [open, setOpen] = useState<'change' | 'rotate' | 'disable' | 'enable'>();
  const close = () => setOpen(undefined);
  const mayAct = session.role !== 'viewer' && key?.status === 'active';
  const mayEnable = ['operator', 'tenant_admin'].includes(session.role) && key?.status === 'disabled';
  return (
    <Panel
      title={key?.name ?? 'Key'}
      onClose={onClose}
      footer={
        mayEnable ? (
          <Button kind="main" onClick={() => setOpen('enable')}>
            Enable
          </Button>
        ) : (
          mayAct && (
            <>
              <Button kind="danger" onClick={() => setOpen('disable')}>
                Disable
              </Button>
              <Button onClick={() => setOpen('rotate')}>Rotate</Button>
              <Button onClick={() => setOpen('change')}>Change</Button>
            </>
          )
        )
      }
    >
      {error && <ErrorState error={error} retry={reload} />}
      {key ? <Facts shown={key} /> : !error && <Skeleton lines={8} />}
      {key && open === 'change' && <ChangeKey shown={key} session={session} onClose={close} />}
      {key && open === 'disable' && <DisableKey shown={key} onClose={close} />}
      {key && open === 'enable' && <EnableKey shown={key} onClose={close} />}
      {key && open === 'rotate' && <RotateKey shown={key} onClose={close} onRotated={onRotated} />}
    </Panel>
  );
}

const at = (time: number | null) => (time === null ? null : exactMoment(time));

const Facts = ({ shown: key }: { readonly shown: KeyAnswer }) => (
  <>
    <Definitions
      items={[
        ['Status', <KeyStatus key="status" shown={key} />],
        ['Id', <Identifier key="id" text={key.id} />],
        ['Tenant', key.tenant],
        ['Owner', key.owner],
        ['Created', at(key.created_at)],
        ['Last used', key.last_used_at === null ? 'never' : at(key.last_used_at)],
        ['Expires', key.expires_at === null ? 'never' : at(key.expires_at)],
        ['Disabled', key.disabled_at === null ? undefined : at(key.disabled_at)],
        [
          'Shares limits with',
          key.family === null ? undefined : <Identifier key="family" text={key.family} />,
        ],
        ['Models', key.models?.join(', ') ?? 'all of the tenant'],
        ['Operations', key.operations?.join(', ') ?? 'all of the tenant'],
        ['Data policy', policyWords(key.data_policy).join(', ') || 'that of the tenant'],
        ['Guardrails', key.guardrails?.join(', ') ?? 'those of all requests'],
        ['Cached answers', cacheWords(key.cache).join(', ') || 'as the tenant has it'],
      ]}
    />
    <MonthSpend of={key.spend} />
    <Section title="Limits">
      <LimitUses use={key.use} empty="None of its own. Those of the tenant hold." />
    </Section>
    <Section title="What it was used for">
      <p class="links">
        <Link to="overview" with={{ key: key.id, tenant: key.tenant }}>
          Usage
        </Link>
        <Link to="requests" with={{ key: key.id, tenant: key.tenant }}>
          Requests
        </Link>
      </p>
    </Section>
  </>
);

const day = 86_400;

export function KeyStatus({ shown: { status, expires_at: end } }: { readonly shown: KeyRow }) {
  const left = end === null ? undefined : Math.ceil((end - Date.now() / 1_000) / day);
  if (status === 'active' && left !== undefined && left <= 7)
    return <Badge tone="warn">{left <= 1 ? 'expires within a day' : `expires in ${left} days`}</Badge>;
  const tones: Partial<Record<KeyRow['status'], Tone>> = { active: 'good', disabled: 'bad' };
  return <Badge tone={tones[status]}>{status}</Badge>;
}
