/** The bar above a page: range, grouping and filters, as far as the page has them. */
import type { Session } from '../api/session.ts';
import type { PageRow } from '../pages/pages.ts';
import { change, group, range } from '../state/location.ts';
import { groupNames } from '../state/query.ts';
import { type RangeName, rangeNames, rangeQuery, rangeTitles } from '../state/range.ts';

export function Controls({ page, session }: { readonly page: PageRow; readonly session: Session }) {
  const groups = groupNames.filter((name) => name !== 'tenant' || session.role === 'operator');
  return (
    <div class="controls">
      {page.controls.includes('group') && (
        <label class="control">
          <span>By</span>
          <select value={group.value} onChange={({ currentTarget }) => change({ by: currentTarget.value })}>
            {groups.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {page.controls.includes('range') && (
        <label class="control">
          <span class="unseen">Range</span>
          <select
            value={range.value.name}
            onChange={({ currentTarget }) => change(rangeQuery({ name: currentTarget.value as RangeName }))}
          >
            {rangeNames.map((name) => (
              <option key={name} value={name}>
                {rangeTitles[name]}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
