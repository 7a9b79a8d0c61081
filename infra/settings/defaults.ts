/** The value of each setting where it is not given: what its reader asks for. */
import { composeSettings } from './settings.ts';

/** Settings that let every reader ask. */
const probes: readonly Readonly<Record<string, string>>[] = [
  {},
  { alarmEmail: 'ops@example.com' },
  { compute: 'web' },
  { compute: 'fargate', balancer: 'private' },
];

export function settingDefaults(): ReadonlyMap<string, string> {
  const defaults = new Map<string, string>();
  for (const probe of probes)
    composeSettings((name, defaultValue) => {
      if (!defaults.get(name)) defaults.set(name, defaultValue);
      return probe[name] ?? defaultValue;
    });
  return defaults;
}
