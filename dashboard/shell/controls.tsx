/** The bar above a page: range, grouping and filters, as far as the page has them. All of it is in the URL. */
import type { Session } from '../api/session.ts';
import type { PageRow } from '../pages/pages.ts';
import { change, group } from '../state/location.ts';
import { groupNames } from '../state/query.ts';
import { FilterBar, FilterButton } from './filters.tsx';
import { RangePicker } from './range-picker.tsx';

export function Controls({ page, session }: { readonly page: PageRow; readonly session: Session }) {
  const has = (control: PageRow['controls'][number]) => page.controls.includes(control);
  const groups = groupNames.filter((name) => name !== 'tenant' || session.role === 'operator');
  return (
    <>
      <div class="controls">
        {has('group') && (
          <label class="control">
            <span aria-hidden="true">By</span>
            <select
              aria-label="Group by"
              value={group.value}
              onChange={({ currentTarget }) => change({ by: currentTarget.value })}
            >
              {groups.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <FilterButton session={session} page={page} />
        {has('range') && <RangePicker />}
      </div>
      <FilterBar page={page} />
    </>
  );
}
