/** The charts over time: amounts by group, and the time to the first token. */
import type { OverviewAnswer, PointFigures } from '../../../lib/admin/usage/schema.ts';
import { gapsOf } from '../../charts/paths.ts';
import { noData } from '../../charts/series.ts';
import { LinePair, StackedBars, type TimeSeries } from '../../charts/time-chart.tsx';
import { Tabs } from '../../components/controls.tsx';
import type { RowLink } from '../../components/table/table.tsx';
import { axisDuration, duration } from '../../format/times.ts';
import { addressOf, change, navigate, query } from '../../state/location.ts';
import { rangeQuery } from '../../state/range.ts';
import { type Metric, metricNamed, metrics, noneName, pointOf } from './groups.ts';

interface OverTimeProps {
  readonly answer: OverviewAnswer;
  readonly linkOf: (id: string | null) => RowLink | undefined;
}

export function OverTime({ answer, linkOf }: OverTimeProps) {
  const { times, grain, series, total, groups, others, group_by: by } = answer;
  const name = metricNamed(query.value.get('metric'));
  const metric: Metric = metrics[name];
  const gaps = gapsIn(answer);
  const seriesOf = (whole: PointFigures, slots: readonly (PointFigures | null)[]) => ({
    values: slots.map((point) => point && metric.value(point)),
    amount: (slot: number | null) => {
      const point = slot === null ? whole : slots[slot];
      return point ? metric.amount(point) : noData;
    },
  });
  const shown: TimeSeries[] = groups.map(({ id, name: called, total: whole, slots }) => ({
    id: id ?? '',
    name: called ?? id ?? noneName(by),
    link: linkOf(id),
    ...seriesOf(pointOf(whole), slots),
  }));
  if (others) {
    const called = others.groups === null ? 'All others' : `${others.groups} others`;
    shown.push({ id: '\u0000others', name: called, ...seriesOf(pointOf(others.total), others.slots) });
  }
  const requestsOf = (slot: number) => ({
    ...spanOfSlots(answer, slot),
    status: name === 'failed' ? name : null,
  });
  return (
    <StackedBars
      title={`${metric.title} by ${by}`}
      {...{ times, grain, gaps, series: shown }}
      total={seriesOf(pointOf(total), series).amount}
      format={metric.tick}
      saved={metric.saved}
      smallest={metric.smallest}
      emptyMax={metric.emptyMax}
      onPick={(slot) =>
        grain === 'day'
          ? change(spanOfSlots(answer, slot))
          : navigate(addressOf('requests', requestsOf(slot)))
      }
      slotLink={(slot) => ({ to: 'requests', with: requestsOf(slot) })}
      onZoom={(first, last) => change(spanOfSlots(answer, first, last))}
      tools={
        <Tabs
          label="What is shown"
          tabs={Object.entries(metrics).map(([key, { title }]) => ({ name: key, title }))}
          value={name}
          onChange={(next) => change({ metric: next === 'spend' ? null : next }, { replace: true })}
        />
      }
    />
  );
}

/** The range of slots, as it is in the URL. */
const spanOfSlots = ({ times, grain }: OverviewAnswer, first: number, last = first) =>
  rangeQuery({ from: times[first] ?? 0, to: (times[last] ?? 0) + (grain === 'day' ? 86_400 : 3_600) });

/** Times that have passed and of which nothing is kept. */
const gapsIn = ({ times, series }: OverviewAnswer) =>
  gapsOf(series.map((point, slot) => (point || (times[slot] ?? 0) > Date.now() / 1000 ? 0 : null)));

export function FirstTokens({ answer }: Pick<OverTimeProps, 'answer'>) {
  const { times, grain, series, total } = answer;
  const line = (id: 'p50' | 'p95', name: string) => ({
    id,
    name,
    values: series.map((point) => point?.first_byte_ms?.[id] ?? null),
    whole: total.first_byte_ms?.[id] ?? null,
  });
  return (
    <LinePair
      title="Time to first token"
      {...{ times, grain }}
      gaps={gapsIn(answer)}
      lower={line('p50', 'Median (p50)')}
      upper={line('p95', '95% within (p95)')}
      format={axisDuration}
      text={duration}
      emptyMax={1_000}
      onZoom={(first, last) => change(spanOfSlots(answer, first, last))}
    />
  );
}
