/** Audit. */
import { EmptyState } from '../../components/states.tsx';

export function Page() {
  return <EmptyState title="Audit">This page follows.</EmptyState>;
}
