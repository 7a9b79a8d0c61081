/** One provider: what it has, how it does, and how to get what it lacks. */
import type { ProviderAnswer } from '../../../lib/admin/providers/schema.ts';
import { Link } from '../../components/link.tsx';
import { Definitions, Section } from '../../components/surfaces.tsx';
import { Panel } from '../../components/windows.tsx';
import { Failures, Health } from '../health.tsx';
import { DataSection } from './contract-form.tsx';
import { SettingsSection } from './settings-section.tsx';

interface ProviderPanelProps {
  readonly provider: ProviderAnswer;
  readonly onClose: () => void;
}

export function ProviderPanel({ provider, onClose }: ProviderPanelProps) {
  const { id, name, account, problem, models, health } = provider;
  return (
    <Panel title={name} onClose={onClose}>
      <Definitions
        items={[
          ['Name', <code>{id}</code>],
          ['Configured', provider.configured ? 'yes' : (problem ?? 'no')],
          ['Read from', provider.sources.join(', ')],
          ['Account', account === id ? undefined : `that of ${account}`],
          ['Models', String(models)],
          ['Health', <Health health={health} />],
        ]}
      />
      <p class="links">
        <Link to="models" with={{ search: id }}>
          Its models
        </Link>
      </p>
      <Section title="Recent failures">
        <Failures health={health} />
      </Section>
      <SettingsSection provider={provider} />
      <DataSection provider={provider} />
    </Panel>
  );
}
