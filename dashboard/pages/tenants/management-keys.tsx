/** Management keys: how programs call the admin API, of one tenant or of all; new ones, and their end. */
import { useState } from 'preact/hooks';
import type {
  CreatedManagementKeyAnswer,
  ManagementKeyRow,
} from '../../../lib/admin/management-keys/schema.ts';
import type { Role, Session } from '../../api/session.ts';
import { useList } from '../../api/use-read.ts';
import { write } from '../../api/write.ts';
import { Button } from '../../components/controls.tsx';
import { ComboField, TextField } from '../../components/forms/fields.tsx';
import { FormDialog, useForm } from '../../components/forms/form.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Badge, Section } from '../../components/surfaces.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { toast } from '../../components/toast.tsx';
import { Confirm } from '../../components/windows.tsx';
import { fullDay } from '../../format/times.ts';
import { keyFields } from '../form-values.ts';
import { NewSecrets } from './new-secrets.tsx';
import { asksForTenant, RoleFields, rolesFor, roleTitles } from './roles.tsx';

interface ManagementKeysProps {
  readonly session: Session;
  /** Absent: of all tenants, and those of operators. */
  readonly tenant?: string;
}

export function ManagementKeys({ session, tenant }: ManagementKeysProps) {
  const list = useList<ManagementKeyRow>('/management-keys', tenant === undefined ? {} : { tenant });
  const [isCreating, setCreating] = useState(false);
  // The only place of the secret. It is gone when the dialog closes.
  const [secret, setSecret] = useState<string>();
  const [revoked, setRevoked] = useState<ManagementKeyRow>();
  const create = (
    <Button icon="plus" onClick={() => setCreating(true)}>
      New management key
    </Button>
  );
  return (
    <Section title="Management keys" actions={create}>
      <Table
        label="Management keys"
        rows={list.rows}
        list={list}
        columns={columnsOf(tenant, setRevoked)}
        rowKey={({ id }) => id}
        csv="management-keys"
        empty={
          <EmptyState title="No management keys" icon="key">
            <p>
              With one, a program makes keys, tenants and budgets by the admin API: Terraform, CI, a script.
            </p>
          </EmptyState>
        }
      />
      {isCreating && (
        <Create
          session={session}
          tenant={tenant}
          onClose={() => setCreating(false)}
          onMade={({ key }) => {
            setCreating(false);
            setSecret(key);
          }}
        />
      )}
      {secret !== undefined && (
        <NewSecrets
          title="Your new management key"
          secrets={{ 'The key': secret }}
          onClose={() => setSecret(undefined)}
        >
          The gateway keeps a hash of it. A program sends it as <code>Authorization: Bearer</code>, and the
          command line reads it from <code>GATEWAY_ADMIN_TOKEN</code>.
        </NewSecrets>
      )}
      {revoked && <Revoke shown={revoked} onClose={() => setRevoked(undefined)} />}
    </Section>
  );
}

const columnsOf = (
  tenant: string | undefined,
  onRevoke: (key: ManagementKeyRow) => void,
): readonly Column<ManagementKeyRow>[] => [
  { name: 'name', title: 'Name', value: ({ name }) => name },
  { name: 'role', title: 'Role', value: ({ role }) => role, cell: ({ role }) => roleTitles[role] },
  ...(tenant === undefined
    ? [{ name: 'tenant', title: 'Tenant', value: ({ tenant: one }: ManagementKeyRow) => one, wide: true }]
    : []),
  {
    name: 'operations',
    title: 'Operations',
    value: ({ operations }) => operations?.join(' ') ?? null,
    cell: ({ operations }) => operations?.join(', ') ?? <span class="quiet">all of the role</span>,
    sort: false,
    wide: true,
  },
  {
    name: 'expires_at',
    title: 'Ends',
    value: ({ expires_at: time }) => time,
    cell: ({ expires_at: time, status }) =>
      status === 'expired' ? <Badge tone="warn">expired</Badge> : fullDay(time),
  },
  { name: 'created_by', title: 'Made by', value: ({ created_by: by }) => by.name, wide: true },
  { name: 'id', title: 'Id', value: ({ id }) => id, hidden: true },
  {
    name: 'revoke',
    title: 'Change',
    value: () => null,
    isAction: true,
    sort: false,
    width: '6rem',
    cell: (key) => (
      <Button size="small" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
        Revoke
      </Button>
    ),
  },
];

interface CreateProps {
  readonly session: Session;
  readonly tenant: string | undefined;
  readonly onClose: () => void;
  readonly onMade: (made: CreatedManagementKeyAnswer) => void;
}

function Create({ session, tenant, onClose, onMade }: CreateProps) {
  const roles = rolesFor(session, tenant);
  const initial = {
    name: '',
    role: roles.at(-1) ?? 'viewer',
    tenant: tenant ?? '',
    operations: [] as readonly string[],
    expires_at: '',
  };
  const form = useForm(initial, async ({ tenant: typed, operations, expires_at: day, ...values }) => {
    const body = {
      ...values,
      ...(values.role !== 'operator' && typed !== '' && { tenant: typed }),
      ...(operations.length > 0 && { operations }),
      ...(day !== '' && { expires_at: keyFields.expires_at?.write(day) }),
    };
    const made = await write<CreatedManagementKeyAnswer>('POST', '/management-keys', { body });
    onMade(made);
  });
  const role = form.values.role as Role;
  return (
    <FormDialog title="New management key" form={form} submit="Create key" onClose={onClose}>
      <TextField name="name" label="Name" required hint="The program that uses it, such as Terraform." />
      <RoleFields roles={roles} role={role} asksForTenant={asksForTenant(session, tenant, role)} />
      <ComboField
        name="operations"
        label="Operations"
        options={[]}
        placeholder="all of the role"
        isFree
        hint="Ids of the admin API, such as admin-keys-create. It makes and revokes management keys only if they are named."
      />
      <TextField
        name="expires_at"
        label="Last day"
        type="date"
        hint="The key works until this day ends, in UTC. Empty: for 90 days; at most a year."
      />
    </FormDialog>
  );
}

function Revoke({ shown: key, onClose }: { readonly shown: ManagementKeyRow; readonly onClose: () => void }) {
  const revoke = async () => {
    await write('DELETE', `/management-keys/${encodeURIComponent(key.id)}`);
    toast(`${key.name} is revoked.`);
  };
  return (
    <Confirm title="Revoke this key?" yes="Revoke now" no="Keep" isDanger act={revoke} onClose={onClose}>
      <p>
        The calls of <strong>{key.name}</strong> are refused at once, and for good. What it has made stays.
      </p>
    </Confirm>
  );
}
