/** What is known of one tenant. */
import type { TenantAnswer } from '../../../lib/admin/tenants/schema.ts';
import { Button } from '../../components/controls.tsx';
import { Link } from '../../components/link.tsx';
import { Badge, Definitions, Section } from '../../components/surfaces.tsx';
import { dollarsOf, limitDollars } from '../../format/money.ts';
import { exactMoment, fullDay } from '../../format/times.ts';
import { cacheWords } from '../cache-words.ts';
import { policyWords } from '../data-policy.ts';
import { limitRows } from '../form-values.ts';
import { LimitUses } from '../limits.tsx';
import { MonthSpend } from '../money-columns.tsx';
import { Guardrails } from './guardrails.tsx';
import { Invoice } from './invoice.tsx';
import { OwnKeys } from './own-keys.tsx';
import { Webhook } from './webhook.tsx';

export type TenantTask = 'credit' | 'adjustment' | 'pricing';

const databaseWords = {
  default: 'requests are refused where there is credit, otherwise admitted',
  admit: 'requests are admitted',
  refuse: 'requests are refused',
} as const;

interface TenantFactsProps {
  readonly shown: TenantAnswer;
  readonly onTask: (task: TenantTask) => void;
}

export const TenantFacts = ({ shown: tenant, onTask }: TenantFactsProps) => (
  <>
    <Definitions
      items={[
        ['Status', <TenantStatus key="status" shown={tenant} />],
        ['Created', exactMoment(tenant.created_at)],
        ['Suspended', tenant.suspended_at === null ? undefined : exactMoment(tenant.suspended_at)],
        ['Models', tenant.models?.join(', ') ?? 'all'],
        ['Operations', tenant.operations?.join(', ') ?? 'all'],
        ['Data policy', policyWords(tenant.data_policy).join(', ') || 'none'],
        ['Cached answers', cacheWords(tenant.cache).join(', ') || 'where a request asks'],
        [
          'Alerts at',
          tenant.alerts.at === null
            ? 'the default shares'
            : tenant.alerts.at.map((part) => `${part}%`).join(', '),
        ],
        ['Webhook', tenant.alerts.webhook_url ?? 'none'],
        ['While limits cannot be checked', databaseWords[tenant.on_database_failure ?? 'default']],
        ['Requests a second', tenant.throughput ?? 'default'],
      ]}
    />
    <p class="links">
      <Link to="overview" with={{ tenant: tenant.id }}>
        Usage
      </Link>
      <Link to="requests" with={{ tenant: tenant.id }}>
        Requests
      </Link>
      <Link to="keys" with={{ tenant: tenant.id }}>
        Keys
      </Link>
      <Link to="audit" with={{ tenant: tenant.id }}>
        Audit
      </Link>
    </p>
    <MonthSpend of={tenant.spend} />
    <Section title="Limits">
      <LimitUses use={tenant.use} empty="None: its keys may spend without end. Set a budget with Change." />
      <UserLimits shown={tenant} />
    </Section>
    <Webhook shown={tenant} />
    <OwnKeys tenant={tenant.id} />
    <Guardrails tenant={tenant.id} mayChange />
    <Credit shown={tenant} onTask={onTask} />
    <Pricing shown={tenant} onTask={onTask} />
    <Invoice tenant={tenant.id} actions={<Task name="adjustment" text="Adjust" onTask={onTask} />} />
  </>
);

export const TenantStatus = ({ shown: { status } }: { readonly shown: Pick<TenantAnswer, 'status'> }) => (
  <Badge tone={status === 'active' ? 'good' : 'bad'}>{status}</Badge>
);

function UserLimits({ shown: { user_limits: limits } }: { readonly shown: TenantAnswer }) {
  const set = limitRows.filter(({ field }) => limits[field] !== null);
  if (set.length === 0) return null;
  return (
    <>
      <h3>Of each user</h3>
      <Definitions
        items={set.map(({ field, title, isMoney }) => [
          title,
          isMoney ? limitDollars(String(limits[field])) : Number(limits[field]).toLocaleString('en'),
        ])}
      />
    </>
  );
}

const Task = ({
  name,
  onTask,
  text,
}: { name: TenantTask; text: string } & Pick<TenantFactsProps, 'onTask'>) => (
  <Button size="small" onClick={() => onTask(name)}>
    {text}
  </Button>
);

const Credit = ({ shown: { grants }, onTask }: TenantFactsProps) => (
  <Section title="Credit" actions={<Task name="credit" text="Give credit" onTask={onTask} />}>
    {grants.length === 0 ? (
      <p class="quiet">None was given. A tenant with credit pays in advance.</p>
    ) : (
      <ul class="entries stack">
        {grants.map((grant) => (
          <li key={grant.id}>
            <strong class="number">{dollarsOf(grant.left_usd)}</strong> left of{' '}
            {limitDollars(grant.amount_usd)}
            <span class="hint">
              {[
                `given ${fullDay(grant.given_at)} by ${grant.by}`,
                grant.expires_at !== null && `expires ${fullDay(grant.expires_at)}`,
                grant.note,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Section>
);

const Pricing = ({ shown: { pricing }, onTask }: TenantFactsProps) => (
  <Section title="Pricing" actions={<Task name="pricing" text="Set terms" onTask={onTask} />}>
    {pricing.length === 0 ? (
      <p class="quiet">It is charged what the providers cost.</p>
    ) : (
      <ul class="entries stack">
        {pricing.toReversed().map((terms) => (
          <li key={terms.from}>
            Cost with a markup of <strong class="number">{terms.markup_percent}%</strong>
            <span class="hint">from {exactMoment(terms.from)}</span>
            {terms.fixed_prices.map(({ model, input_usd: input, output_usd: output }) => (
              <span key={model} class="hint">
                {model}: ${input} and ${output} a million tokens
              </span>
            ))}
          </li>
        ))}
      </ul>
    )}
  </Section>
);
