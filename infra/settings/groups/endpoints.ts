/** Which hosts of AWS the code of the gateway calls. */
import type { SettingRow } from '../row.ts';
import { oneOf, type SettingText } from '../values.ts';

export interface EndpointSettings {
  /** `fips`: the hosts for FIPS 140. Not every region has them for every service. */
  readonly fips: boolean;
  /** `dualStack`: the hosts for both versions of IP. */
  readonly dualStack: boolean;
}

export const endpointRows: readonly SettingRow[] = [
  {
    name: 'fips',
    meaning:
      '`true`: services of AWS are called at their hosts for FIPS 140, which regions of the United States and Canada have',
  },
  { name: 'dualStack', meaning: '`true`: services of AWS are called at their hosts for IPv4 and IPv6' },
];

/** Throws an Error that names the setting at fault. */
export const readEndpoints = (text: SettingText): EndpointSettings => ({
  fips: isOn('fips', text),
  dualStack: isOn('dualStack', text),
});

const isOn = (name: string, text: SettingText): boolean =>
  oneOf(name, text(name, 'false'), ['true', 'false']) === 'true';
