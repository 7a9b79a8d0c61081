/** Tenants. */
import { EmptyState } from '../../components/states.tsx';

export function Page() {
  return <EmptyState title="Tenants">This page follows.</EmptyState>;
}
