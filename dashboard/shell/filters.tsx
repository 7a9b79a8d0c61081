/** The filters of a page: those that are set are shown as chips, and further ones are chosen behind a button. */
import type { KeysListAnswer } from '../../lib/admin/keys/schema.ts';
import type { ModelsListAnswer } from '../../lib/admin/models/schema.ts';
import type { TenantsListAnswer } from '../../lib/admin/tenants/schema.ts';
import type { Session } from '../api/session.ts';
import { useRead } from '../api/use-read.ts';
import { Button } from '../components/controls.tsx';
import { Combobox, type Option } from '../components/forms/combobox.tsx';
import { Icon } from '../components/icon.tsx';
import { Popover } from '../components/popover.tsx';
import type { PageRow } from '../pages/pages.ts';
import { change, filters } from '../state/location.ts';
import type { FilterName } from '../state/query.ts';

const titles: Readonly<Record<FilterName, string>> = {
  tenant: 'Tenant',
  model: 'Model',
  key: 'Key',
  user: 'User',
  provider: 'Provider',
  status: 'Status',
  session: 'Session',
  tag: 'Tag',
};

const hints: Readonly<Partial<Record<FilterName, string>>> = {
  tag: 'name=value',
  user: 'as callers name it',
};

export function FilterButton({ page, session }: { readonly page: PageRow; readonly session: Session }) {
  const names = page.filters.filter((name) => name !== 'tenant' || session.role === 'operator');
  if (names.length === 0) return null;
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
  const options = useOptions(name, session);
  return (
    <div class="field">
      <span class="quiet">{titles[name]}</span>
      <Combobox
        label={titles[name]}
        options={options}
        placeholder={filters.value[name] ?? hints[name] ?? 'any'}
        isFree
        onTake={(value) => {
          change({ [name]: value });
          close();
        }}
      />
    </div>
  );
}

/** What is known to choose from; any other value can be typed. */
function useOptions(name: FilterName, session: Session): readonly Option[] {
  const { tenant } = filters.value;
  const models = useRead<ModelsListAnswer>(name === 'model' ? '/models' : null, { limit: 1_000 });
  const hasKeys = name === 'key' && (tenant ?? session.tenant) !== null;
  const keys = useRead<KeysListAnswer>(hasKeys ? '/keys' : null, { tenant });
  const tenants = useRead<TenantsListAnswer>(name === 'tenant' ? '/tenants' : null);
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
    <ul class="filter-bar" aria-label="Filters that are set">
      {set.map((name) => (
        <li key={name} class="chip">
          <span>
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
