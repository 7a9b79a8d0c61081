/**
 * One fake AWS on loopback, for all services that a test needs: it finds the service in the scope of the signature, verifies the signature,
 * asks whether the signer is allowed to make the call, and answers as the service does. Denials, throttles, outages and delays can be added.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { end, listen } from '../listening.ts';
import { createFaults, type Faults } from './faults.ts';
import {
  type Asked,
  commonErrors,
  readAction,
  signatureCodes,
  writeAnswer,
  writeRefusal,
} from './protocols.ts';
import {
  type AccessRequest,
  AwsRefusal,
  type CallContext,
  type FakeService,
  type Input,
  type PassedOn,
  type Principal,
  type RawRequest,
} from './service.ts';
import { faultOf, readScope, type Scope } from './signature.ts';

/** Whether a principal may do something; false is answered as a denial. */
type Judge = (principal: Principal, access: AccessRequest) => boolean;

interface FakeAwsOptions {
  readonly services: readonly FakeService[];
  /** Those who may sign; one operator without it. */
  readonly principals?: readonly Principal[];
  /** Without it, everything is allowed. */
  readonly judge?: Judge;
}

/** One call that was received. */
interface ReceivedCall {
  /** As policies name it: `ssm:GetParameter`. */
  readonly action: string;
  readonly region: string;
  readonly principal: Principal;
  readonly input: Input;
  /** What the principal had to be allowed to do. */
  readonly access: readonly AccessRequest[];
  /** The code of the error; undefined for an answer. */
  readonly error: string | undefined;
}

export interface FakeAws {
  /** For AWS_ENDPOINT_URL. */
  readonly url: string;
  readonly calls: readonly ReceivedCall[];
  readonly faults: Faults;
  forgetCalls(): void;
  close(): Promise<void>;
}

/** The account of the fake. */
export const account = '123456789012';

export const operator: Principal = {
  accessKeyId: 'AKIDOPERATOR',
  secretAccessKey: 'secret-of-the-operator',
  arn: `arn:aws:iam::${account}:user/operator`,
};

export async function startFakeAws({
  services,
  principals = [operator],
  judge = () => true,
}: FakeAwsOptions): Promise<FakeAws> {
  let calls: ReceivedCall[] = [];
  const faults = createFaults();
  const keys = new Map(principals.map((principal) => [principal.accessKeyId, principal]));
  const byName = new Map(services.map((service) => [service.name, service]));

  async function answer(request: RawRequest): Promise<PassedOn | 'disconnect'> {
    const scope = readScope(request);
    const service = byName.get(scope?.service ?? '');
    // A request without a signature names no service: it gets the error of those with a query protocol.
    if (!scope || !service) return writeRefusal(service ?? nameless, unsigned(scope));
    const principal = keys.get(scope.accessKeyId);
    const fault = await faultOf(request, scope, principal);
    if (fault || !principal) return writeRefusal(service, badSignature(service, fault ?? 'unknown key'));
    return await answerSigned(service, { request, region: scope.region, account, principal });
  }

  async function answerSigned(service: FakeService, context: CallContext): Promise<PassedOn | 'disconnect'> {
    const asked = readAction(service, context.request);
    const action = `${service.policyPrefix ?? service.name}:${asked.action}`;
    const access = service.needs?.(asked.action, asked.input, context) ?? [{ action, resource: '*' }];
    const { region, principal } = context;
    const note = (error?: string) =>
      calls.push({ action, region, principal, input: asked.input, access, error });
    try {
      const injected = faults.next(action);
      if (injected === 'disconnected') {
        note('disconnected');
        return 'disconnect';
      }
      if (typeof injected === 'object') await pause(injected.delayMs);
      else if (injected) throw commonRefusal(service, injected, denial(principal, action, '*'));
      const refused = access.find((one) => !judge(principal, one));
      if (refused)
        throw commonRefusal(service, 'denied', denial(principal, refused.action, refused.resource));
      const value = await perform(service, asked, context);
      note();
      return writeAnswer(service, asked.action, value);
    } catch (error) {
      if (!(error instanceof AwsRefusal)) throw error;
      note(error.code);
      return writeRefusal(service, error);
    }
  }

  const server = createServer((incoming, response) => void serve(answer, incoming, response));
  const url = await listen(server);
  return {
    url,
    get calls() {
      return calls;
    },
    faults,
    forgetCalls() {
      calls = [];
    },
    close: () => end(server),
  };
}

async function serve(
  answer: (request: RawRequest) => Promise<PassedOn | 'disconnect'>,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(incoming));
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  try {
    const given = await answer({ method: incoming.method ?? '', path: incoming.url ?? '', headers, body });
    if (given === 'disconnect') return void incoming.socket.destroy();
    response.writeHead(given.status, { ...given.headers }).end(given.body);
  } catch (error) {
    // A mistake of the fake itself must not look like one of AWS.
    response.writeHead(599).end(String(error));
  }
}

async function perform(
  service: FakeService,
  { action, input }: Asked,
  context: CallContext,
): Promise<unknown> {
  const own = service.actions[action];
  if (own) return await own(input, context);
  if (service.otherwise) return await service.otherwise(context);
  throw commonRefusal(service, 'unknownAction', `The action ${action} is not known.`);
}

function commonRefusal(
  { protocol, codes = {} }: FakeService,
  kind: 'denied' | 'throttled' | 'unavailable' | 'unknownAction',
  message: string,
): AwsRefusal {
  const { code, status } = commonErrors[protocol][kind];
  const own = kind === 'denied' || kind === 'throttled' ? codes[kind] : undefined;
  const texts = { throttled: 'Rate exceeded', unavailable: 'Service unavailable', denied: message };
  return new AwsRefusal(own ?? code, kind === 'unknownAction' ? message : texts[kind], status);
}

/** Source: docs.aws.amazon.com IAM, troubleshoot_access-denied. */
const denial = ({ arn }: Principal, action: string, resource: string) =>
  `User: ${arn} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;

const nameless: FakeService = { name: '', protocol: 'query', actions: {} };

const unsigned = (scope: Scope | undefined) =>
  scope
    ? new AwsRefusal('UnknownService', `The fake AWS of this test has no service ${scope.service}.`, 404)
    : new AwsRefusal('MissingAuthenticationToken', 'Request is missing Authentication Token', 403);

function badSignature({ protocol }: FakeService, fault: Parameters<typeof faultText>[0]): AwsRefusal {
  return new AwsRefusal(signatureCodes[protocol][fault], faultText(fault), protocol === 'json' ? 400 : 403);
}

function faultText(fault: keyof (typeof signatureCodes)['json']): string {
  if (fault === 'old') return 'Signature expired';
  if (fault === 'wrong')
    return 'The request signature we calculated does not match the signature you provided.';
  return 'The security token included in the request is invalid.';
}
