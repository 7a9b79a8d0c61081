/** Where a deployment sends spans and metrics of its requests. */
import { isProviderName } from '../../../lib/providers/provider-names.ts';
import type { SettingRow } from '../row.ts';
import type { SettingText } from '../values.ts';

export interface TelemetrySettings {
  /** `otlpEndpoint`: the https URL of an OTLP/HTTP endpoint, or `cloudwatch`; nowhere by default. */
  readonly otlpEndpoint: string;
  /** `traceProviders`: the providers whose calls name the trace of their request, separated by commas, or `all`; none by default. */
  readonly traceProviders: readonly string[];
}

export const cloudWatch = 'cloudwatch';
const allProviders = 'all';

export const telemetryRows: readonly SettingRow[] = [
  {
    name: 'otlpEndpoint',
    meaning:
      'Where spans and metrics of requests go: the https URL of an OTLP/HTTP endpoint, or `cloudwatch`. [telemetry.md](../operate/telemetry.md)',
  },
  {
    name: 'traceProviders',
    meaning: 'The providers whose calls name the trace of their request, or `all`; with `otlpEndpoint`',
    form: 'list',
  },
];

/** Throws an Error that names the setting at fault. */
export function readTelemetry(text: SettingText): TelemetrySettings {
  const otlpEndpoint = readEndpoint(text('otlpEndpoint', ''));
  const traceProviders = text('traceProviders', '')
    .split(',')
    .flatMap((part) => part.trim() || []);
  if (!traceProviders.every(isProviderName))
    throw new Error('The setting "traceProviders" must be names of providers, separated by commas, or all.');
  if (traceProviders.includes(allProviders) && traceProviders.length > 1)
    throw new Error('The setting "traceProviders" is either all or a list of names.');
  if (traceProviders.length > 0 && otlpEndpoint === '')
    throw new Error('The setting "traceProviders" has no effect without "otlpEndpoint": leave it out.');
  return { otlpEndpoint, traceProviders };
}

/** A key in the URL would be readable in the template. */
function readEndpoint(value: string): string {
  if (value === '' || value === cloudWatch) return value;
  const url = URL.parse(value);
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (isPlain && url.protocol === 'https:') return value;
  throw new Error(
    `The setting "otlpEndpoint" must be ${cloudWatch} or an https URL without a user and a query. Secret headers belong in the parameter store.`,
  );
}
