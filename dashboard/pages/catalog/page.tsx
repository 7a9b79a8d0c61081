/** The catalog as operators edit it: models with their prices, hosts of their own, and aliases. */
import { Tabs } from '../../components/controls.tsx';
import { change, query } from '../../state/location.ts';
import { Aliases } from './aliases.tsx';
import { Hosts } from './hosts.tsx';
import { Models } from './models.tsx';

const parts = [
  { name: 'models', title: 'Models', Part: Models },
  { name: 'hosts', title: 'Hosts', Part: Hosts },
  { name: 'aliases', title: 'Aliases', Part: Aliases },
] as const;

export function Page() {
  const { name, Part } = parts.find((part) => part.name === query.value.get('part')) ?? parts[0];
  const choose = (next: string) =>
    change({ part: next === parts[0].name ? null : next, id: null, search: null });
  return (
    <>
      <Tabs label="Part of the catalog" tabs={parts} value={name} onChange={choose} />
      <Part key={name} />
    </>
  );
}
