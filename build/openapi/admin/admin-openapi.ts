/** The OpenAPI document of the dashboard's API, made from its rows, the schemas of its topics and the error table. */
import type * as z from 'zod';
import { type AdminOperation, adminOperations } from '../../../lib/core/admin/admin-operations.ts';
import { errorKinds } from '../../../lib/core/errors/error-kinds.ts';
import { answerComponents } from '../components.ts';
import { type Components, documentHead, type JsonSchema, parameterObjects } from '../json-schema.ts';
import { documentedPath } from '../operation-reference.ts';
import { type AdminError, adminErrorsOf } from './admin-errors.ts';
import type { AdminReference } from './admin-reference.ts';
import { exampleOf } from './example.ts';
import { adminReference } from './reference.ts';
import { adminComponents, inputSchema } from './schemas.ts';

const prefix = '/admin/v1';

/** Operations with their reference; those that people open in a browser are no part of the API. */
export const documented: readonly (readonly [AdminOperation, AdminReference])[] = adminOperations.flatMap(
  (operation) => {
    const found = adminReference[operation.name];
    return found ? [[operation, found]] : [];
  },
);

export function adminOpenapi() {
  const components = adminComponents();
  const { Error: error } = answerComponents();
  return {
    ...documentHead(
      'Model gateway: dashboard and administration',
      'What the dashboard and the command line can do: tenants, keys, usage, requests, models, providers and the audit log. Times are Unix seconds; amounts are US dollars as text.',
      prefix,
    ),
    tags: [...new Set(documented.map(([, { tag }]) => tag))].map((name) => ({ name })),
    paths: paths(components),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A management key (`mgm_…`), the token of a session (`mgs_…`), or the ID token of the issuer.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-gateway-session',
          description:
            "The cookie of a session, with the header `x-dashboard: 1`; `gateway-session` without TLS. For the dashboard's own page.",
        },
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the gateway: `mgw_…`.' },
      },
      schemas: { ...components, ...(error && { Error: error }) },
    },
  };
}

function paths(components: Components): Readonly<Record<string, object>> {
  const all = Map.groupBy(documented, ([operation]) => documentedPath(operation));
  return Object.fromEntries(
    [...all].map(([path, served]) => [
      path.slice(prefix.length),
      Object.fromEntries(
        served.map(([operation, found]) => [
          operation.method.toLowerCase(),
          operationObject(operation, found, components),
        ]),
      ),
    ]),
  );
}

function operationObject(operation: AdminOperation, found: AdminReference, components: Components): object {
  const { tag, title, summary, parameters, body, answer, takesIfMatch, takesIfNoneMatch } = found;
  const given = [
    ...(parameters
      ? parameterObjects(documentedPath(operation), inputSchema(operation.name, parameters))
      : []),
    ...(takesIfMatch ? [ifMatch] : []),
    ...(takesIfNoneMatch ? [ifNoneMatch] : []),
    ...(operation.keepsAnswer ? [idempotencyKey] : []),
  ];
  return {
    operationId: operation.name,
    tags: [tag],
    summary: title,
    description: `${summary}${whoMay(operation)}`,
    security: securityOf(operation),
    ...(given.length > 0 && { parameters: given }),
    ...(body && { requestBody: requestBody(operation, body) }),
    responses: {
      200: { description: 'The answer.', ...answerContent(answer, components) },
      ...errorsOf(operation, found),
    },
  };
}

function whoMay({ roles, withKey }: AdminOperation): string {
  if (!roles) return '';
  const also = withKey ? ' The session of an API key calls it below `/account/v1`.' : '';
  return ` For ${roles.map((role) => `\`${role}\``).join(', ')}.${also}`;
}

function securityOf({ roles, name }: AdminOperation): readonly object[] {
  if (roles) return [{ bearer: [] }, { cookie: [] }];
  return name === 'admin-playground' ? [{ apiKey: [] }] : [];
}

const ifMatch = {
  name: 'if-match',
  in: 'header',
  required: false,
  description: 'The `etag` of the state that the change was made of. With another state: 409 `conflict`.',
  schema: { type: 'string' },
};

const ifNoneMatch = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description: '`*`: only where there is none yet. With one: 409 `conflict`.',
  schema: { const: '*' },
};

const idempotencyKey = {
  name: 'idempotency-key',
  in: 'header',
  required: false,
  description:
    'A key that you choose for this request: sent again within 24 hours with the same input, it gets the same answer, with `idempotent-replayed: true`. With another input: 400 `idempotency_key_reused`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function requestBody({ name }: AdminOperation, body: z.core.$ZodType): object {
  const schema = inputSchema(name, body);
  const example = exampleOf(schema, () => undefined);
  return {
    required: (schema.required ?? []).length > 0,
    content: { 'application/json': { schema, example } },
  };
}

function answerContent(answer: AdminReference['answer'], components: Components): object {
  const schema: JsonSchema = answer ? { $ref: `#/components/schemas/${answer[0]}` } : { type: 'object' };
  const example = answer && exampleOf(schema, (name) => components[name]);
  return { content: { 'application/json': { schema, ...(answer && { example }) } } };
}

function errorsOf(operation: AdminOperation, found: AdminReference): Readonly<Record<string, object>> {
  return Object.fromEntries(
    [...adminErrorsOf(operation, found)].map(([status, errors]) => [
      status,
      {
        description: errors.map(describe).join(' '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

const describe = ({ kind, code }: AdminError): string =>
  `Type \`${errorKinds[kind].type}\`${code === null ? '' : `, code \`${code}\``}.`;
