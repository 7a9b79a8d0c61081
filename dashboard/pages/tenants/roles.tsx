/** The roles that people and programs may be given, and the fields that ask for one. */
import type { Role, Session } from '../../api/session.ts';
import { SelectField, TextField } from '../../components/forms/fields.tsx';

export const roleTitles: Readonly<Record<Role, string>> = {
  operator: 'Operator',
  tenant_admin: 'Tenant admin',
  member: 'Member',
  viewer: 'Viewer',
};

const roleHints: Readonly<Record<Role, string>> = {
  operator: 'May do everything, for all tenants.',
  tenant_admin: 'Manages the keys and members of the tenant, and sees what it uses.',
  member: 'Makes its own keys, and sees what those use.',
  viewer: 'Sees the keys and the usage of the tenant. Changes nothing.',
};

/** The roles that a user may give: none above its own, and operators for no tenant alone. */
export function rolesFor({ role }: Session, tenant: string | undefined): readonly Role[] {
  const all = Object.keys(roleTitles) as readonly Role[];
  const isForTenant = tenant !== undefined || role !== 'operator';
  return isForTenant ? all.filter((one) => one !== 'operator') : all;
}

/** Whether the tenant of a role is to be typed. */
export const asksForTenant = (session: Session, tenant: string | undefined, role: Role): boolean =>
  tenant === undefined && session.role === 'operator' && role !== 'operator';

interface RoleFieldsProps {
  readonly roles: readonly Role[];
  readonly role: Role;
  readonly asksForTenant: boolean;
}

export const RoleFields = ({ roles, role, asksForTenant: asks }: RoleFieldsProps) => (
  <>
    <SelectField
      name="role"
      label="Role"
      required
      hint={roleHints[role]}
      options={roles.map((value) => ({ value, label: roleTitles[value] }))}
    />
    {asks && <TextField name="tenant" label="Tenant" required />}
  </>
);
