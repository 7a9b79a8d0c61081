/** Tenants: their limits, credit and pricing, and their end; for administrators of a tenant, their own. */
import { useState } from 'preact/hooks';
import type { ListedTenant, TenantAnswer } from '../../../lib/admin/tenants/schema.ts';
import type { PageProps } from '../../api/session.ts';
import { useList, useRead } from '../../api/use-read.ts';
import { Button } from '../../components/controls.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx';
import { Card, Definitions, Section } from '../../components/surfaces.tsx';
import { type Column, ListTable } from '../../components/table/table.tsx';
import { orderQuery } from '../../components/table/use-order.ts';
import { fullDay } from '../../format/times.ts';
import { change, filters, query } from '../../state/location.ts';
import { policyWords } from '../data-policy.ts';
import { limitsText } from '../form-values.ts';
import { LimitUses } from '../limits.tsx';
import { MonthSpend, tenantMoneyColumns } from '../money-columns.tsx';
import { Guardrails } from './guardrails.tsx';
import { ManagementKeys } from './management-keys.tsx';
import { Members } from './members.tsx';
import { OwnKeys } from './own-keys.tsx';
import { CreateTenant, tenantPath } from './tenant-dialogs.tsx';
import { TenantStatus } from './tenant-facts.tsx';
import { TenantPanel } from './tenant-panel.tsx';

export const Page = ({ session }: PageProps) =>
  session.role === 'operator' ? <Tenants session={session} /> : <OwnTenant session={session} />;

function Tenants({ session }: PageProps) {
  const { search } = filters.value;
  const list = useList<ListedTenant>('/tenants', { search, include: 'spend', ...orderQuery(columns) });
  const [isCreating, setCreating] = useState(false);
  const id = query.value.get('id');
  const create = (
    <Button kind="main" icon="plus" onClick={() => setCreating(true)}>
      New tenant
    </Button>
  );
  return (
    <>
      <div class="head-row row row-wrap">
        <span />
        {create}
      </div>
      <ListTable
        label="Tenants"
        list={list}
        columns={columns}
        csv="tenants"
        empty={
          <EmptyState title={search ? 'No such tenant' : 'No tenants yet'} icon="people">
            <p>
              A tenant pays for its keys, and has budgets for all of them together. Make one for each customer
              or team.
            </p>
            {create}
          </EmptyState>
        }
      />
      <Members session={session} />
      <ManagementKeys session={session} />
      {id && <TenantPanel key={id} id={id} session={session} onClose={() => change({ id: null })} />}
      {isCreating && (
        <CreateTenant
          onClose={() => setCreating(false)}
          onMade={(tenant) => {
            setCreating(false);
            change({ id: tenant.id });
          }}
        />
      )}
    </>
  );
}

function OwnTenant({ session }: PageProps) {
  const id = session.tenant ?? '';
  const { data, error, reload } = useRead<TenantAnswer>(tenantPath(id));
  return (
    <>
      {error && <ErrorState error={error} retry={reload} />}
      {(data || !error) && <Card>{data ? <OwnTenantFacts shown={data} /> : <Skeleton lines={8} />}</Card>}
      <Card>
        <OwnKeys tenant={id} />
      </Card>
      <Card>
        <Guardrails tenant={id} />
      </Card>
      <Members session={session} tenant={id} />
      <ManagementKeys session={session} tenant={id} />
    </>
  );
}

const columns: readonly Column<ListedTenant>[] = [
  { name: 'id', title: 'Tenant', value: ({ id }) => id, sort: 'name' },
  {
    name: 'status',
    title: 'Status',
    value: ({ status }) => status,
    cell: (tenant) => <TenantStatus shown={tenant} />,
  },
  {
    name: 'limits',
    title: 'Limits',
    value: limitsText,
    cell: (tenant) => limitsText(tenant) ?? <span class="quiet">none</span>,
    sort: false,
    wide: true,
  },
  ...tenantMoneyColumns<ListedTenant>(),
  {
    name: 'models',
    title: 'Models',
    value: ({ models }) => models?.join(' ') ?? null,
    cell: ({ models }) => models?.join(', ') ?? <span class="quiet">all</span>,
    sort: false,
    wide: true,
  },
  {
    name: 'created_at',
    title: 'Created',
    sort: 'created',
    value: ({ created_at: time }) => time,
    cell: ({ created_at: time }) => fullDay(time),
    wide: true,
  },
];

const OwnTenantFacts = ({ shown: tenant }: { readonly shown: TenantAnswer }) => (
  <>
    <Definitions
      items={[
        ['Tenant', tenant.id],
        ['Status', <TenantStatus key="status" shown={tenant} />],
        ['Models', tenant.models?.join(', ') ?? 'all'],
        ['Operations', tenant.operations?.join(', ') ?? 'all'],
        ['Data policy', policyWords(tenant.data_policy).join(', ') || 'none'],
      ]}
    />
    <MonthSpend of={tenant.spend} />
    <Section title="Limits">
      <LimitUses use={tenant.use} empty="None. An operator of the gateway can set budgets." />
    </Section>
  </>
);
