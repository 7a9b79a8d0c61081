/** Overview. */
import { EmptyState } from '../../components/states.tsx';

export function Page() {
  return <EmptyState title="Overview">This page follows.</EmptyState>;
}
