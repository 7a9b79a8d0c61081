/** What is shown of a page: its range of time, and its filters, of which those that are set are chips. */

import { useState } from 'preact/hooks';
import type { KeysListAnswer } from '../../lib/admin/keys/schema.ts';
import type { ModelsListAnswer } from '../../lib/admin/models/schema.ts';
import type { TenantsListAnswer } from '../../lib/admin/tenants/schema.ts';
import type { Session } from '../api/session.ts';
import { useRead } from '../api/use-read.ts';
import { Button } from '../components/controls.tsx';
import { Combobox, type Option } from '../components/forms/combobox.tsx';
import { Icon } from '../components/icon.tsx';
import { Popover } from '../components/popover.tsx';
import { useSettled } from '../components/use-settled.ts';
import type { PageRow } from '../pages/pages.ts';
import { change, filters, range } from '../state/location.ts';
import type { FilterName } from '../state/query.ts';
import {
  dateOf,
  fits,
  isWholeDays,
  maxRangeDays,
  type Range,
  rangeNames,
  rangeQuery,
  rangeTitles,
  timeOf,
} from '../state/range.ts';

const titles: Readonly<Record<FilterName, string>> = {
  tenant: 'Tenant',
  model: 'Model',
  key: 'Key',
  user: 'User',
  provider: 'Provider',
  status: 'Status',
  error: 'Error code',
  http_status: 'HTTP status',
  min_cost: 'Min. cost, $',
  min_duration_ms: 'Min. time, ms',
  operation: 'Operation',
  session: 'Session',
  batch: 'Batch',
  tag: 'Tag',
  search: 'Name or id',
};

const hints: Readonly<Partial<Record<FilterName, string>>> = {
  search: 'a part of it',
  tag: 'name:value',
  user: 'as callers name it',
  http_status: 'such as 429',
  min_cost: 'such as 0.05',
  min_duration_ms: 'such as 5000',
};

export function FilterButton({ page, session }: { readonly page: PageRow; readonly session: Session }) {
  const names = page.filters.filter((name) => name !== 'tenant' || session.role === 'operator');
  // Others have one tenant.
  const isAlone = page.name === 'tenants' && session.role !== 'operator';
  if (names.length === 0 || isAlone) return null;
  return (
    <Popover label="Filter" title="Filters" icon="filter">
      {(close) => (
        <div class="filter-form">
          {names.map((name) => (
            <FilterField key={name} name={name} session={session} close={close} />
          ))}
        </div>
      )}
    </Popover>
  );
}

interface FilterFieldProps {
  readonly name: FilterName;
  readonly session: Session;
  readonly close: () => void;
}

function FilterField({ name, session, close }: FilterFieldProps) {
  const [text, setText] = useState('');
  const options = useOptions(name, session, text);
  return (
    <div class="field">
      <span class="quiet">{titles[name]}</span>
      <Combobox
        label={titles[name]}
        options={options}
        placeholder={filters.value[name] ?? hints[name] ?? 'any'}
        isFree
        onText={setText}
        onTake={(value) => {
          change({ [name]: value });
          close();
        }}
      />
    </div>
  );
}

/** What is known to choose from; any other value can be typed. Keys and tenants may be too many, so the API searches. */
function useOptions(name: FilterName, session: Session, text: string): readonly Option[] {
  const search = useSettled(text.trim());
  const { tenant } = filters.value;
  const models = useRead<ModelsListAnswer>(name === 'model' ? '/models' : null, { limit: 1_000 });
  const hasKeys = name === 'key' && ((tenant ?? session.tenant) !== null || search !== '');
  const keys = useRead<KeysListAnswer>(hasKeys ? '/keys' : null, { tenant, search });
  const tenants = useRead<TenantsListAnswer>(name === 'tenant' ? '/tenants' : null, { search });
  if (name === 'model') return models.data?.data.map(({ id }) => ({ value: id })) ?? [];
  if (name === 'key') return keys.data?.data.map(keyOption) ?? [];
  if (name === 'tenant') return tenants.data?.data.map((one) => ({ value: one.id })) ?? [];
  return [];
}

const keyOption = ({ id, name }: KeysListAnswer['data'][number]): Option => ({
  value: id,
  label: name === null ? id : `${name} · ${id}`,
});

/** Those that are set. */
export function FilterBar({ page }: { readonly page: PageRow }) {
  const set = page.filters.filter((name) => filters.value[name] !== undefined);
  if (set.length === 0) return null;
  return (
    <ul class="filter-bar row row-wrap" aria-label="Filters that are set">
      {set.map((name) => (
        <li key={name} class="chip">
          <span class="cut">
            <span class="quiet">{titles[name]}</span> {filters.value[name]}
          </span>
          <button
            type="button"
            aria-label={`Remove the filter ${titles[name]}`}
            onClick={() => change({ [name]: null })}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
      {set.length > 1 && (
        <li>
          <Button
            size="small"
            kind="bare"
            onClick={() => change(Object.fromEntries(set.map((name) => [name, null])))}
          >
            Remove all
          </Button>
        </li>
      )}
    </ul>
  );
}

export function RangePicker() {
  const now = range.value;
  return (
    <Popover label={titleOf(now)} title="Range of time, in UTC" icon="calendar">
      {(close) => (
        <>
          <div class="range-choices">
            {rangeNames.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={now.name === name}
                onClick={() => {
                  change(rangeQuery({ name }));
                  close();
                }}
              >
                {rangeTitles[name]}
                {now.name === name && <Icon name="check" />}
              </button>
            ))}
          </div>
          <Times range={now} close={close} />
        </>
      )}
    </Popover>
  );
}

/** On paper, where the range cannot be opened. */
export const PrintedRange = () => (
  <p class="only-print">
    {shown(range.value.from)} – {shown(range.value.to)} UTC
  </p>
);

const day = 86_400;

const titleOf = (range: Range): string => {
  const { name, from, to } = range;
  if (name !== 'custom') return rangeTitles[name];
  if (!isWholeDays(range)) return between(shown(from), shown(to));
  return between(dateOf(from), dateOf(to - day));
};

const shown = (seconds: number) => timeOf(seconds).slice(0, -1).replace('T', ' ');

/** A day that both have is written once: `2026-11-23 10:00:00 – 11:00:00`. */
function between(from: string, to: string): string {
  if (from === to) return from;
  const [date, time] = to.split(' ');
  return `${from} – ${time !== undefined && from.startsWith(`${date} `) ? time : to}`;
}

function Times({ range: now, close }: { readonly range: Range; readonly close: () => void }) {
  const [from, setFrom] = useState(now.from);
  const [to, setTo] = useState(now.to);
  const isRight = fits({ from, to });
  return (
    <form
      class="range-times"
      onSubmit={(event) => {
        event.preventDefault();
        change(rangeQuery({ from, to }));
        close();
      }}
    >
      <TimeField label="From" value={from} onChange={setFrom} />
      <TimeField label="To, not included" value={to} onChange={setTo} />
      {!isRight && !Number.isNaN(from) && !Number.isNaN(to) && (
        <p class="hint is-bad">
          {to <= from ? 'The end is not after the beginning.' : `At most ${maxRangeDays} days.`}
        </p>
      )}
      <Button type="submit" disabled={!isRight}>
        Show this time
      </Button>
    </form>
  );
}

interface TimeFieldProps {
  readonly label: string;
  /** Unix seconds. */
  readonly value: number;
  /** NaN: it is not complete. */
  readonly onChange: (seconds: number) => void;
}

function TimeField({ label, value, onChange }: TimeFieldProps) {
  const first = useState(() => timeOf(value).slice(0, -1))[0];
  return (
    <label>
      <span class="quiet">{label}</span>
      <input
        class="input"
        type="datetime-local"
        step={1}
        required
        defaultValue={first}
        onInput={({ currentTarget }) => onChange(Date.parse(`${currentTarget.value}Z`) / 1_000)}
      />
    </label>
  );
}
