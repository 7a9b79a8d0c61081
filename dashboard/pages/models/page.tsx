/** Models. */
import { EmptyState } from '../../components/states.tsx';

export function Page() {
  return <EmptyState title="Models">This page follows.</EmptyState>;
}
