/** What a service of the fake AWS is: its protocol, its actions, and what a caller must be allowed to do for each. */

/** The forms of requests, answers and errors: JSON with a target, forms answered with XML, or JSON or XML over paths. Source: smithy.io, AWS protocols. */
export type Protocol = 'json' | 'query' | 'rest' | 'xml';

/** Members of the body (JSON), fields of the form (query), or parameters of path, query and body (rest). */
export type Input = Readonly<Record<string, unknown>>;

export interface RawRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Who signed a request. */
export interface Principal {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly arn: string;
}

export interface CallContext {
  readonly account: string;
  readonly region: string;
  readonly principal: Principal;
  readonly request: RawRequest;
}

/** What a policy is asked: an action, a resource, and the values of condition keys. */
export interface AccessRequest {
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/** An answer that another server gave. */
export class PassedOn {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;

  constructor(status: number, headers: Readonly<Record<string, string>>, body: Buffer) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

export type FakeAction = (input: Input, context: CallContext) => unknown;

export interface FakeService {
  /** As in the scope of a signature. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly actions: Readonly<Record<string, FakeAction>>;
  /** Of `rest` and `xml`: method and path, such as `GET /account`; a segment in braces is a parameter. */
  readonly routes?: Readonly<Record<string, string>>;
  /** Of `query`: the namespace of its XML. */
  readonly namespace?: string;
  /** The prefix of its actions in policies, if it is another than its name. */
  readonly policyPrefix?: string;
  /** The codes of its errors, where they differ from those of its protocol. */
  readonly codes?: Partial<Readonly<Record<'denied' | 'throttled', string>>>;
  /** What the caller must be allowed to do; without it, the action on any resource. */
  readonly needs?: (action: string, input: Input, context: CallContext) => readonly AccessRequest[];
  /** Answers actions that are not in `actions`. */
  readonly otherwise?: (context: CallContext) => Promise<PassedOn>;
}

/** An error that a service answers with. */
export class AwsRefusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
