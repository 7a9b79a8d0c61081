/** A tenant as its own administrators see it. */
import type { TenantAnswer } from '../../../lib/admin/tenants/schema.ts';
import { Definitions } from '../../components/definitions.tsx';
import { Section } from '../../components/section.tsx';
import { LimitUses, TenantStatus } from './tenant-facts.tsx';

export const OwnTenantFacts = ({ shown: tenant }: { readonly shown: TenantAnswer }) => (
  <>
    <Definitions
      items={[
        ['Tenant', tenant.id],
        ['Status', <TenantStatus key="status" shown={tenant} />],
        ['Models', tenant.models?.join(', ') ?? 'all'],
        ['Operations', tenant.operations?.join(', ') ?? 'all'],
      ]}
    />
    <Section title="Limits">
      <LimitUses shown={tenant} empty="None. An operator of the gateway can set budgets." />
    </Section>
  </>
);
