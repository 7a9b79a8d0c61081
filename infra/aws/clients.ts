/**
 * Signed calls of the services of AWS that the command line uses, in each of their protocols. It takes the place of an SDK client for each
 * service: all that is needed is a signature, a form or a path, and the names of errors.
 */
import { type AwsCall, AwsError, type FindEndpoint, type Sign } from '../../lib/core/ports/aws.ts';
import type { HttpRequest, SendForText } from '../../lib/core/ports/http.ts';
import { attemptCall, awsTimeouts, createAwsCall, maxAwsBody } from '../../lib/transport/aws/aws-call.ts';
import { readXml, textAt, type XmlValue } from './read-xml.ts';

/** An account in one region. */
export interface AwsAccess {
  readonly region: string;
  readonly sign: Sign;
  readonly sendForText: SendForText;
  readonly endpointOf: FindEndpoint;
  close(): Promise<void>;
}

/** The versions of JSON that services speak. */
const jsonVersions = {
  kms: '1.1',
  ssm: '1.1',
  servicequotas: '1.1',
  logs: '1.1',
  dynamodb: '1.0',
  'cognito-idp': '1.1',
} as const;

/** The versions of services with forms. Sources: docs.aws.amazon.com, the API reference of each. */
const queryVersions = {
  sts: '2011-06-15',
  cloudformation: '2010-05-15',
  monitoring: '2010-08-01',
  sns: '2010-03-31',
} as const;

const restServices = ['lambda', 'apigateway', 'bedrock'] as const;

type JsonService = keyof typeof jsonVersions;
type QueryService = keyof typeof queryVersions;
type RestService = (typeof restServices)[number];
type ClientService = JsonService | QueryService | RestService;

export interface AwsClients {
  readonly region: string;
  /** An action with its full target, such as `AmazonSSM.GetParameter`. Rejects with AwsError. */
  json(service: JsonService): AwsCall;
  /** An action with its fields; resolves with its result. Rejects with AwsError. */
  query(service: QueryService, action: string, fields?: Readonly<Record<string, string>>): Promise<XmlValue>;
  /** Gets a path. Rejects with AwsError. */
  get(service: RestService, path: string): Promise<Readonly<Record<string, unknown>>>;
}

export function createAwsClients({
  region,
  sign,
  sendForText,
  endpointOf,
}: Omit<AwsAccess, 'close'>): AwsClients {
  const sending = { timeouts: awsTimeouts, maxBytes: maxAwsBody };
  const send = async (request: HttpRequest, service: string) =>
    await sendForText(await sign(request, { service, region }), sending);
  const address = (service: ClientService, path: string) => new URL(path, endpointOf(service)).href;
  return {
    region,
    json: (service) =>
      createAwsCall({
        sendForText,
        sign,
        service,
        region,
        endpoint: endpointOf(service),
        jsonVersion: jsonVersions[service],
      }),
    query: (service, action, fields = {}) =>
      attemptCall({ service, action }, async () => {
        const form = new URLSearchParams({ Action: action, Version: queryVersions[service], ...fields });
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const body = `${form}`;
        const answer = await send({ method: 'POST', url: address(service, '/'), headers, body }, service);
        const content = readXml(answer.text);
        if (answer.status === 200) return resultOf(content, action);
        throw new AwsError(
          textAt(content, 'Error', 'Code'),
          textAt(content, 'Error', 'Message'),
          answer.status,
          { service, action },
        );
      }),
    get: (service, path) =>
      attemptCall({ service, action: `GET ${path}` }, async () => {
        const request: HttpRequest = { method: 'GET', url: address(service, path), headers: {} };
        const { status, headers, text } = await send(request, service);
        const body = parsed(text);
        if (status === 200) return body;
        const [type = ''] = String(headers['x-amzn-errortype'] ?? '').split(':');
        throw new AwsError(type || 'UnknownError', String(body.message ?? body.Message ?? ''), status, {
          service,
        });
      }),
  };
}

function resultOf(content: XmlValue, action: string): XmlValue {
  if (typeof content !== 'object' || Array.isArray(content)) return '';
  return (content as Readonly<Record<string, XmlValue>>)[`${action}Result`] ?? '';
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = text === '' ? {} : JSON.parse(text);
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
