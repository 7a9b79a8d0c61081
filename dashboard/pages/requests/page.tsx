/** Requests. */
import { EmptyState } from '../../components/states.tsx';

export function Page() {
  return <EmptyState title="Requests">This page follows.</EmptyState>;
}
