/** Keys. */
import { EmptyState } from '../../components/states.tsx';

export function Page() {
  return <EmptyState title="Keys">This page follows.</EmptyState>;
}
