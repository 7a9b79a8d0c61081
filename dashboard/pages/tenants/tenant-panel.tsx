/** One tenant: what it may, what it has used, what it is charged, and what can be done with it. */
import { useState } from 'preact/hooks';
import type { TenantAnswer } from '../../../lib/admin/tenants/schema.ts';
import type { Session } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import { write } from '../../api/write.ts';
import { Button } from '../../components/controls.tsx';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { Confirm, Panel } from '../../components/windows.tsx';
import { ManagementKeys } from './management-keys.tsx';
import { Members } from './members.tsx';
import { AddAdjustment, ChangePricing, GiveCredit } from './money-dialogs.tsx';
import { WebhookSecret } from './new-secrets.tsx';
import { ChangeTenant, tenantPath } from './tenant-dialogs.tsx';
import { TenantFacts, type TenantTask } from './tenant-facts.tsx';

interface TenantPanelProps {
  readonly session: Session;
  readonly id: string;
  readonly onClose: () => void;
}

type Open = TenantTask | 'change' | 'suspend' | 'purge';

export function TenantPanel({ id, session, onClose }: TenantPanelProps) {
  const { data: tenant, error, reload } = useRead<TenantAnswer>(tenantPath(id));
  const [open, setOpen] = useState<Open>();
  // The only place of the secret. It is gone when the dialog closes.
  const [secret, setSecret] = useState<string>();
  return (
    <Panel
      title={id}
      onClose={onClose}
      footer={
        tenant && (
          <>
            <Button kind={tenant.status === 'active' ? 'danger' : 'main'} onClick={() => setOpen('suspend')}>
              {tenant.status === 'active' ? 'Suspend' : 'Activate'}
            </Button>
            <Button onClick={() => setOpen('purge')}>Purge cache</Button>
            <Button onClick={() => setOpen('change')}>Change</Button>
          </>
        )
      }
    >
      {error && <ErrorState error={error} retry={reload} />}
      {tenant ? <TenantFacts shown={tenant} onTask={setOpen} /> : !error && <Skeleton lines={8} />}
      {tenant && <Members session={session} tenant={id} />}
      {tenant && <ManagementKeys session={session} tenant={id} />}
      {tenant && <Task open={open} shown={tenant} onSecret={setSecret} onClose={() => setOpen(undefined)} />}
      {secret !== undefined && (
        <WebhookSecret secrets={{ 'The secret': secret }} onClose={() => setSecret(undefined)} />
      )}
    </Panel>
  );
}

interface TaskProps {
  readonly open: Open | undefined;
  readonly shown: TenantAnswer;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

function Task({ open, shown, onSecret, onClose }: TaskProps) {
  const props = { shown, onClose };
  switch (open) {
    case 'change':
      return <ChangeTenant {...props} onSecret={onSecret} />;
    case 'suspend':
      return <Suspend {...props} />;
    case 'purge':
      return <Purge {...props} />;
    case 'credit':
      return <GiveCredit {...props} />;
    case 'adjustment':
      return <AddAdjustment {...props} />;
    case 'pricing':
      return <ChangePricing {...props} />;
    default:
      return null;
  }
}

function Suspend({ shown: tenant, onClose }: Omit<TaskProps, 'open' | 'onSecret'>) {
  const isActive = tenant.status === 'active';
  const act = async () => {
    await write('PATCH', tenantPath(tenant.id), { body: { suspended: isActive }, ifMatch: tenant.etag });
  };
  return (
    <Confirm
      title={isActive ? `Suspend ${tenant.id}?` : `Activate ${tenant.id}?`}
      yes={isActive ? 'Suspend now' : 'Activate'}
      isDanger={isActive}
      act={act}
      onClose={onClose}
    >
      <p>
        {isActive
          ? 'Within ten seconds, all its keys are refused until it is activated again. Requests that run already end as usual.'
          : 'Within ten seconds, its keys work again.'}
      </p>
    </Confirm>
  );
}

function Purge({ shown: tenant, onClose }: Omit<TaskProps, 'open' | 'onSecret'>) {
  const act = async () => {
    await write('PATCH', tenantPath(tenant.id), { body: { purge_cache: true }, ifMatch: tenant.etag });
  };
  return (
    <Confirm
      title={`Purge the cache of ${tenant.id}?`}
      yes="Purge now"
      no="Keep it"
      isDanger
      act={act}
      onClose={onClose}
    >
      <p>
        Within ten seconds, no answer that is cached by now is given again to any of its keys. Later answers
        are cached as before.
      </p>
    </Confirm>
  );
}
