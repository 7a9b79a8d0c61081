/** Providers. */
import { EmptyState } from '../../components/states.tsx';

export function Page() {
  return <EmptyState title="Providers">This page follows.</EmptyState>;
}
