/** From a number of the overview to the requests that it counts. */
import type { ComponentChildren } from 'preact';
import type { OverviewAnswer } from '../../../lib/admin/usage/schema.ts';
import { Link } from '../../components/link.tsx';
import { range } from '../../state/location.ts';
import type { Changes } from '../../state/query.ts';
import { rangeQuery } from '../../state/range.ts';

/** Sums are of whole hours or days: where these are more than the range, the link has their time. */
export const spanOf = ({ from, to }: Pick<OverviewAnswer, 'from' | 'to'>): Changes =>
  isWider({ from, to }) ? rangeQuery({ from, to }) : {};

export const isWider = ({ from, to }: Pick<OverviewAnswer, 'from' | 'to'>): boolean =>
  from < range.value.from || to > range.value.to;

interface ToRequestsProps {
  readonly span: Pick<OverviewAnswer, 'from' | 'to'>;
  readonly with?: Changes;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

export const ToRequests = ({ span, with: changes = {}, title, children }: ToRequestsProps) => (
  <Link to="requests" with={{ ...spanOf(span), ...changes }} class="plain">
    <span title={title}>{children}</span>
  </Link>
);
