/** Playground. */
import { EmptyState } from '../../components/states.tsx';

export function Page() {
  return <EmptyState title="Playground">This page follows.</EmptyState>;
}
