/** Members: who may sign in, of one tenant or of all; invitations and removals. Shown only where the gateway manages its members. */
import { useState } from 'preact/hooks';
import type { MemberRow, MembersInviteInput } from '../../../lib/admin/members/schema.ts';
import type { Role, Session } from '../../api/session.ts';
import { useList } from '../../api/use-read.ts';
import { write } from '../../api/write.ts';
import { Button } from '../../components/controls.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { FormDialog, useForm } from '../../components/forms/form.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Badge, Section } from '../../components/surfaces.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { toast } from '../../components/toast.tsx';
import { Confirm } from '../../components/windows.tsx';
import { fullDay } from '../../format/times.ts';
import { asksForTenant, RoleFields, rolesFor, roleTitles } from './roles.tsx';

interface MembersProps {
  readonly session: Session;
  /** Absent: of all tenants, and the operators. */
  readonly tenant?: string;
}

export const Members = (props: MembersProps) =>
  props.session.features.members ? <MemberSection {...props} /> : null;

function MemberSection({ session, tenant }: MembersProps) {
  const list = useList<MemberRow>('/members', tenant === undefined ? {} : { tenant });
  const [isInviting, setInviting] = useState(false);
  const [removed, setRemoved] = useState<MemberRow>();
  const invite = (
    <Button icon="plus" onClick={() => setInviting(true)}>
      Invite a user
    </Button>
  );
  return (
    <Section title={tenant === undefined ? 'People' : 'Members'} actions={invite}>
      <Table
        label="Members"
        rows={list.rows}
        list={list}
        columns={columnsOf(session, tenant, setRemoved)}
        rowKey={({ id }) => id}
        csv="members"
        empty={
          <EmptyState title="No members yet" icon="people">
            <p>People who are invited get a mail and sign in with a code that comes by email.</p>
          </EmptyState>
        }
      />
      {isInviting && <Invite session={session} tenant={tenant} onClose={() => setInviting(false)} />}
      {removed && <Remove member={removed} onClose={() => setRemoved(undefined)} />}
    </Section>
  );
}

const columnsOf = (
  session: Session,
  tenant: string | undefined,
  onRemove: (member: MemberRow) => void,
): readonly Column<MemberRow>[] => [
  { name: 'email', title: 'Email', value: ({ email }) => email },
  {
    name: 'role',
    title: 'Role',
    value: ({ role }) => role,
    cell: ({ role, status }) => (
      <>
        {role ? roleTitles[role] : <span class="quiet">none</span>}
        {status === 'disabled' && (
          <>
            {' '}
            <Badge tone="warn">disabled</Badge>
          </>
        )}
      </>
    ),
  },
  ...(tenant === undefined
    ? [{ name: 'tenant', title: 'Tenant', value: ({ tenant: one }: MemberRow) => one, wide: true }]
    : []),
  {
    name: 'created_at',
    title: 'Since',
    value: ({ created_at: time }) => time,
    cell: ({ created_at: time }) => fullDay(time),
    wide: true,
  },
  { name: 'id', title: 'Id', value: ({ id }) => id, hidden: true },
  {
    name: 'remove',
    title: 'Change',
    value: () => null,
    isAction: true,
    sort: false,
    width: '6rem',
    cell: (member) =>
      member.id === session.user.id ? (
        <span class="quiet">you</span>
      ) : (
        <Button size="small" aria-label={`Remove ${member.email}`} onClick={() => onRemove(member)}>
          Remove
        </Button>
      ),
  },
];

interface InviteProps {
  readonly session: Session;
  readonly tenant: string | undefined;
  readonly onClose: () => void;
}

function Invite({ session, tenant, onClose }: InviteProps) {
  const roles = rolesFor(session, tenant);
  const initial = { email: '', role: roles.at(-1) ?? 'viewer', tenant: tenant ?? '' };
  const form = useForm(initial, async ({ email, role, tenant: typed }) => {
    const body: MembersInviteInput = {
      email: email.trim(),
      role: role as Role,
      ...(role !== 'operator' && typed !== '' && { tenant: typed }),
    };
    await write('POST', '/members', { body });
    toast(`${body.email} is invited.`);
    onClose();
  });
  const role = form.values.role as Role;
  return (
    <FormDialog title="Invite a user" form={form} submit="Send invitation" onClose={onClose}>
      <TextField name="email" label="Email address" type="email" required />
      <RoleFields roles={roles} role={role} asksForTenant={asksForTenant(session, tenant, role)} />
    </FormDialog>
  );
}

function Remove({ member, onClose }: { readonly member: MemberRow; readonly onClose: () => void }) {
  const remove = async () => {
    await write('DELETE', `/members/${encodeURIComponent(member.id)}`);
    toast(`${member.email} is removed.`);
  };
  return (
    <Confirm title="Remove this user?" yes="Remove now" no="Keep" isDanger act={remove} onClose={onClose}>
      <p>
        <strong>{member.email}</strong> cannot sign in any more, and its sessions end; a page that is open
        goes on for at most ten minutes. The keys that it made stay, and can be disabled on the page Keys.
      </p>
    </Confirm>
  );
}
