/**
 * Where spans and metrics go: the variables of OpenTelemetry. Source: opentelemetry.io/docs/specs/otel/protocol/exporter, and
 * configuration/sdk-environment-variables.
 */

export type SignalName = 'traces' | 'metrics';

export interface SignalSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isCompressed: boolean;
  /** For one request, in milliseconds. */
  readonly timeoutMs: number;
  /** What requests are signed for; absent: they are not signed. */
  readonly signing?: { readonly service: string; readonly region: string };
}

interface TelemetrySettings {
  /** Absent: not sent. */
  readonly traces?: SignalSettings;
  readonly metrics?: SignalSettings;
  /** The attributes of the resource. */
  readonly resource: Readonly<Record<string, string>>;
}

type Variables = Readonly<Record<string, string | undefined>>;

export const defaultServiceName = 'model-gateway';

/** In milliseconds, unless a variable has another time. */
export const defaultTimeoutMs = 3_000;

/** What requests to a host are signed for; undefined: they are not signed. */
type FindSigning = (url: URL) => SignalSettings['signing'];

/** Throws an error that names the variable, never its value. */
export function readTelemetrySettings(
  variables: Variables,
  signingOf: FindSigning = () => undefined,
): TelemetrySettings {
  const traces = readSignal(variables, 'traces', signingOf);
  const metrics = readSignal(variables, 'metrics', signingOf);
  const { OTEL_RESOURCE_ATTRIBUTES: attributes, OTEL_SERVICE_NAME: name } = variables;
  return {
    ...(traces && { traces }),
    ...(metrics && { metrics }),
    resource: {
      'service.name': defaultServiceName,
      ...readPairs('OTEL_RESOURCE_ATTRIBUTES', attributes),
      ...(name && { 'service.name': name }),
    },
  };
}

function readSignal(
  variables: Variables,
  signal: SignalName,
  signingOf: FindSigning,
): SignalSettings | undefined {
  const upper = signal.toUpperCase();
  if (variables.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  if (variables[`OTEL_${upper}_EXPORTER`] === 'none') return undefined;
  /** What is set for the signal counts before what is set for all. */
  const find = (name: string) => {
    const names = [`OTEL_EXPORTER_OTLP_${upper}_${name}`, `OTEL_EXPORTER_OTLP_${name}`] as const;
    const set = names.find((one) => variables[one]);
    return { name: set ?? names[1], value: set && variables[set] };
  };
  const endpoint = find('ENDPOINT');
  if (endpoint.value === undefined) return undefined;
  const own = endpoint.name === `OTEL_EXPORTER_OTLP_${upper}_ENDPOINT`;
  const url = readUrl(endpoint.name, endpoint.value, own ? undefined : `v1/${signal}`);
  const protocol = find('PROTOCOL');
  if (protocol.value !== undefined && protocol.value !== 'http/json')
    throw new Error(`${protocol.name} must be http/json: the gateway has no other form.`);
  const headers = find('HEADERS');
  const timeout = find('TIMEOUT');
  const compression = find('COMPRESSION');
  if (!['gzip', 'none'].includes(compression.value ?? 'gzip'))
    throw new Error(`${compression.name} must be gzip or none.`);
  const signing = signingOf(url);
  return {
    url: url.href,
    headers: readHeaders(headers.name, headers.value),
    isCompressed: compression.value !== 'none',
    timeoutMs: readTimeout(timeout.name, timeout.value),
    ...(signing && { signing }),
  };
}

function readUrl(name: string, value: string, path: string | undefined): URL {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.hash !== '')
    throw new Error(`${name} must be a URL that starts with http:// or https://.`);
  if (path !== undefined) url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${path}`;
  return url;
}

const wholeNumber = /^[0-9]{1,9}$/;

function readTimeout(name: string, value: string | undefined): number {
  if (value === undefined) return defaultTimeoutMs;
  if (!wholeNumber.test(value) || Number(value) === 0)
    throw new Error(`${name} must be milliseconds, from 1.`);
  return Number(value);
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\x20-\x7e]*$/;

/** Headers as the variables and the stored parameter have them: `name=value,name=value`. */
export function readHeaders(name: string, text: string | undefined): Readonly<Record<string, string>> {
  const pairs = Object.entries(readPairs(name, text)).map(
    ([key, value]) => [key.toLowerCase(), value] as const,
  );
  if (pairs.every(([key, value]) => headerName.test(key) && headerValue.test(value)))
    return Object.fromEntries(pairs);
  throw new Error(`${name} must be a list such as name=value,name=value.`);
}

/** Values are percent-encoded. Source: the specification refers to W3C Baggage. */
function readPairs(name: string, text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((pair): readonly (readonly [string, string])[] => {
    if (pair.trim() === '') return [];
    const at = pair.indexOf('=');
    const key = pair.slice(0, at).trim();
    if (at < 1 || key === '') throw new Error(`${name} must be a list such as name=value,name=value.`);
    return [[decoded(key), decoded(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
