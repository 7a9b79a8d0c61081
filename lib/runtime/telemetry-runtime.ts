/** Spans and metrics with their dependencies. Loaded by the aggregator, where an endpoint for them is set. */
import { randomUUID } from 'node:crypto';
import { AwsError } from '../core/ports/aws.ts';
import { createCachedReader } from '../stores/cached-reader.ts';
import { createExport, type Export } from '../telemetry/export.ts';
import { readHeaders, readTelemetrySettings, type SignalName } from '../telemetry/settings.ts';
import { createSendTelemetry, type SendTelemetry } from '../telemetry/telemetry.ts';
import { otlpSigning } from '../transport/aws/aws-partitions.ts';
import type { Foundation } from './foundation.ts';

type TelemetryParts = Pick<
  Foundation,
  'variables' | 'environment' | 'now' | 'log' | 'sendForText' | 'sign' | 'ssm'
>;

/** How long secret headers are used before they are read again. */
const freshMs = 300_000;

/** With settings that are not valid it sends nothing, and says why once: sums and limits are more important. */
export function createTelemetry(parts: TelemetryParts): SendTelemetry {
  const { variables, now, log } = parts;
  try {
    const { resource, ...signals } = readTelemetrySettings(variables, otlpSigning);
    const secretHeaders = createSecretHeaders(parts);
    const exportOf = (signal: SignalName): { readonly [Name in SignalName]?: Export } => {
      const settings = signals[signal];
      return settings ? { [signal]: createExport({ ...parts, signal, settings, secretHeaders }) } : {};
    };
    // Several processes send metrics of the same models: without a name of its own, each would disprove the others' counts.
    const sender = { resource: { 'service.instance.id': randomUUID(), ...resource } };
    return createSendTelemetry({ sender, now, ...exportOf('traces'), ...exportOf('metrics') });
  } catch (thrown) {
    log.error('telemetry off', { reason: thrown instanceof Error ? thrown.message : 'unknown' });
    return async () => {};
  }
}

/** The headers that the parameter store has; none without a parameter. */
function createSecretHeaders({ environment, ssm, now }: TelemetryParts) {
  const name = environment.GATEWAY_OTLP_HEADERS_PARAMETER;
  if (name === undefined) return async () => ({});
  const find = createCachedReader({
    now,
    freshMs,
    graceMs: Number.POSITIVE_INFINITY,
    size: 1,
    load: async (parameter: string) => readHeaders(parameter, await readParameter(ssm, parameter)),
  });
  return async () => (await find(name)) ?? {};
}

async function readParameter(ssm: Foundation['ssm'], name: string): Promise<string | undefined> {
  try {
    const { Parameter } = await ssm('AmazonSSM.GetParameter', { Name: name, WithDecryption: true });
    const value = (Parameter as { readonly Value?: unknown } | undefined)?.Value;
    return typeof value === 'string' ? value : undefined;
  } catch (error) {
    if (error instanceof AwsError && error.type === 'ParameterNotFound') return undefined;
    throw error;
  }
}
