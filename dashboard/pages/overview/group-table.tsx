/** All groups of the overview, searched, sorted and paged by the API. Each number leads to its requests. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OverviewAnswer, UsageAnswer } from '../../../lib/admin/usage/schema.ts';
import { useList } from '../../api/use-read.ts';
import { Button } from '../../components/controls.tsx';
import { Section } from '../../components/surfaces.tsx';
import { type RowLink, Table } from '../../components/table/table.tsx';
import { orderQuery } from '../../components/table/use-order.ts';
import { useSettled } from '../../components/use-settled.ts';
import { moment } from '../../format/times.ts';
import { change, filters } from '../../state/location.ts';
import { type GroupName, isTag, tagPrefix } from '../../state/query.ts';
import { columnsOf } from './group-columns.tsx';
import { type GroupRow, narrow, nounOf, rowGroups } from './groups.ts';

interface GroupsProps {
  readonly by: GroupName;
  /** Of whole hours or days. */
  readonly span: Pick<OverviewAnswer, 'from' | 'to'>;
  /** Of all tenants. */
  readonly isOfAll: boolean;
  readonly isOperator: boolean;
  /** When the overview was read: the groups are read with it. */
  readonly readAt: number | undefined;
}

export function Groups({ by, span, isOfAll, isOperator, readAt }: GroupsProps) {
  const { tenant, model, key, user, search } = filters.value;
  const isNamed = by !== tagPrefix;
  const unsorted = columnsOf({ by, span, isOfAll, isOperator, most: 1 });
  const { sort = 'spend', order } = orderQuery(unsorted);
  const { from, to } = span;
  const asked = { from, to, tenant, model, key, user, group_by: rowGroups(by, isOfAll).join(), search };
  const question = JSON.stringify(asked);
  const [whole, setWhole] = useState('');
  const list = useList<GroupRow, UsageAnswer>(isNamed ? '/usage' : null, {
    ...asked,
    max_records: whole === question ? undefined : fewRecords,
    sort,
    order,
    include: 'before',
    limit: 50,
  });
  useReloadWith(readAt, list.reload);
  const most = Math.max(1, ...(list.rows ?? []).map((row) => row.cost_nano_usd ?? 0));
  return (
    <Section
      title={`By ${nounOf(by)}`}
      actions={
        <>
          {isTag(by) && <Text label="Name of the tag" value={by.slice(tagPrefix.length)} onText={nameTag} />}
          {isNamed && <Text label={`Search by ${nounOf(by)}`} value={search ?? ''} onText={searchFor} />}
        </>
      }
    >
      {isNamed ? (
        <>
          <Table
            label={`By ${nounOf(by)}`}
            list={list}
            rows={list.rows}
            columns={columnsOf({ by, span, isOfAll, isOperator, most })}
            rowKey={(row) =>
              rowGroups(by, isOfAll)
                .map((name) => row[name])
                .join(' ')
            }
            rowLink={(row) => linkOf(row, by)}
            csv={`by-${nounOf(by)}`}
            empty={<p class="quiet">Nothing is named so in this time.</p>}
          />
          {list.last && (
            <ReadBackTo answer={list.last} readAll={isOfAll ? undefined : () => setWhole(question)} />
          )}
        </>
      ) : (
        <p class="quiet">Which tag? Requests have tags by the header `x-gateway-tags`.</p>
      )}
    </Section>
  );
}

const nameTag = (name: string) => change({ by: tagPrefix + name, search: null }, { replace: true });
const searchFor = (search: string) => change({ search }, { replace: true });

function linkOf(row: GroupRow, by: GroupName): RowLink | undefined {
  const link = narrow(row[by] as string | null, { by, wanted: by, filters: filters.value });
  return link && { ...link, with: { ...link.with, ...(row.tenant && { tenant: row.tenant }) } };
}

/** As many as are read at once: a page that is left open reads itself again. */
const fewRecords = 3_000;

interface ReadBackToProps {
  readonly answer: UsageAnswer;
  /** Absent: no more can be read. */
  readonly readAll: (() => void) | undefined;
}

/** What no sum has is read of the newest requests. */
const ReadBackTo = ({ answer: { source, from, complete_from: start }, readAll }: ReadBackToProps) =>
  source === 'ledger' && start > from ? (
    <p class="quiet">
      Only of requests since {moment(start)} UTC: there are many before.{' '}
      {readAll && (
        <Button size="small" onClick={readAll}>
          Read all
        </Button>
      )}
    </p>
  ) : null;

function useReloadWith(readAt: number | undefined, reload: () => void): void {
  const last = useRef(readAt);
  useEffect(() => {
    if (last.current !== undefined && last.current !== readAt) reload();
    last.current = readAt;
  }, [readAt]);
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** Of the URL, once nothing was typed for a moment. */
function Text({ label, value, onText }: TextProps): ComponentChildren {
  const [text, setText] = useState(value);
  const settled = useSettled(text.trim());
  useEffect(() => {
    if (settled !== value) onText(settled);
  }, [settled]);
  return (
    <input
      class="input group-search"
      type="search"
      maxLength={256}
      value={text}
      aria-label={label}
      placeholder={label}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
