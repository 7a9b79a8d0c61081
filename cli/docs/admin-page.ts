/** The page `docs/reference/admin-api.md`: every operation of the dashboard's API with its fields and examples. */

import { documented } from '../../build/openapi/admin/admin-openapi.ts';
import type { AdminReference } from '../../build/openapi/admin/admin-reference.ts';
import { exampleOf } from '../../build/openapi/admin/example.ts';
import { adminComponents, inputSchema } from '../../build/openapi/admin/schemas.ts';
import { fieldRows, formsOf, type Resolve } from '../../build/openapi/field-rows.ts';
import type { Components, JsonSchema } from '../../build/openapi/json-schema.ts';
import { documentedPath } from '../../build/openapi/operation-reference.ts';
import type { AdminOperation } from '../../lib/core/admin/admin-operations.ts';
import { answerTables, requestTables, sharedObject } from './field-tables.ts';
import { code, generated, linkTo, page, table } from './markdown.ts';

const introduction = `What the dashboard and the command line (\`--url\`) can do, as an API at \`/admin/v1\`. It is served by \`npm start\`, by
\`npm run serve\` with \`GATEWAY_DASHBOARD=on\`, and in AWS by a stack of its own.
A gateway serves the same as an OpenAPI 3.1 document at \`GET /admin/v1/openapi.json\`.

Calls show who sends them: \`Authorization: Bearer …\` with a management key, the token of a session or the ID token of the issuer, or the cookie of the
dashboard with \`x-dashboard: 1\` ([sign-in.md](../operate/sign-in.md)). A tenant that is not your own is not found. Unknown fields are refused with a 400 that names them. Errors have the gateway's form,
as in [errors.md](errors.md). Times are Unix seconds, and amounts US dollars as text. Lists have \`has_more\` and \`next_after\`, which the
next call sends as \`after\`. A change with \`If-Match\` is refused with 409 \`conflict\` if something else was changed meanwhile. Every change is in the audit log.

What makes something, which the table marks, takes the header \`Idempotency-Key\`, a text that you choose: the same user who sends it again within 24 hours with the same input gets the
same answer, also the secret of a new key, with \`idempotent-replayed: true\`. Another input gets 400 \`idempotency_key_reused\`, and a call while the first one runs waits for it. A call
that fails frees its key.`;

export function adminPage(): string {
  const components = adminComponents();
  return page([
    generated,
    "# The dashboard's API",
    introduction,
    table(
      ['Operation', 'Path', 'Roles', '`Idempotency-Key`'],
      documented.map(([operation, { title }]) => [
        linkTo(title),
        `\`${operation.method} ${documentedPath(operation)}\``,
        operation.roles?.join(', ') ?? 'anyone',
        operation.keepsAnswer ? 'yes' : '',
      ]),
    ),
    ...documented.map(([operation, found]) => section(operation, found, components)),
    '## Shared objects',
    ...shared.flatMap((name) => sharedObject(name, (one) => components[one])),
  ]);
}

/** Shown once, and not inside of each answer. */
const shared = ['Limits', 'UserLimits', 'LimitUse', 'Health', 'Price', 'Figures', 'Point'];

function section(operation: AdminOperation, found: AdminReference, components: Components): string {
  const { name, method } = operation;
  const { title, summary, parameters, body, answer } = found;
  const path = documentedPath(operation);
  const resolve: Resolve = (one) => (shared.includes(one) ? undefined : components[one]);
  return page([
    `## ${title}`,
    code('http', `${method} ${path}`),
    summary,
    ...(parameters ? inputParts('Parameters', inputSchema(name, parameters), path) : []),
    ...(body ? inputParts('Body', inputSchema(name, body), path) : []),
    ...(answer ? answerParts(operation, answer[0], resolve, components) : []),
  ]).trimEnd();
}

function inputParts(title: string, schema: JsonSchema, path: string): readonly string[] {
  const rows = fieldRows([schema], () => undefined);
  return rows.length === 0 ? [] : [`### ${title}`, requestTables(rows, path)];
}

function answerParts(
  operation: AdminOperation,
  name: string,
  resolve: Resolve,
  components: Components,
): readonly string[] {
  const first = documented.find(([, { answer }]) => answer?.[0] === name);
  if (first && first[0] !== operation) return ['### Answer', `The same as for ${linkTo(first[1].title)}.`];
  const schema = { $ref: `#/components/schemas/${name}` };
  const example = exampleOf(schema, (one) => components[one]);
  return [
    '### Answer',
    answerTables(fieldRows(formsOf(schema, resolve), resolve)),
    `Example:\n\n${code('json', JSON.stringify(example, null, 2))}`,
  ];
}
