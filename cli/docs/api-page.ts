/** The page `docs/reference/api.md`: every operation with its fields, answers and examples. */

import { answerComponents, describeRequest, requestComponents } from '../../build/openapi/components.ts';
import { examples } from '../../build/openapi/example-bodies.ts';
import { fieldRows, formsOf, type Resolve } from '../../build/openapi/field-rows.ts';
import {
  anthropicHeaders,
  anthropicRequestIdHeader,
  type HeaderReference,
  modelHeaders,
  requestHeaders,
  requestIdHeader,
} from '../../build/openapi/headers.ts';
import type { Components } from '../../build/openapi/json-schema.ts';
import { documentedPath } from '../../build/openapi/operation-reference.ts';
import { reference } from '../../build/openapi/reference.ts';
import { type Operation, operations } from '../../lib/core/operations.ts';
import { answerTables, requestTables, sharedObject } from './field-tables.ts';
import { code, generated, linkTo, page, table } from './markdown.ts';

/** Shown once, and not inside of each answer. */
const shared = ['Debug', 'TokenLogprob'];

const introduction = `The base URL of a local gateway is \`http://127.0.0.1:8787/v1\`; of a deployed one it is the stack's output \`OpenAiBaseUrl\`.
Clients of Anthropic's add \`/v1\` by themselves: theirs is \`http://127.0.0.1:8787\`, or the output \`AnthropicBaseUrl\`.
Send an API key of the gateway with every request that needs one: \`Authorization: Bearer mgw_…\`. Clients that send a key alone,
as \`x-api-key: mgw_…\` or \`api-key: mgw_…\`, work too; what is no key of the gateway in one of the three is ignored beside one that is,
and two different keys are refused. Bodies are JSON.
A gateway serves the same as an OpenAPI 3.1 document at \`GET /v1/openapi.json\`.
[errors.md](errors.md) lists all errors and all headers.

Each list of objects has a table of its own: \`messages[]\` stands for every element of \`messages\`, and \`a.b\` for the field \`b\`
of the object \`a\`. Where an object has several forms, *Only for* names the forms that have a field, and *required* applies to
those. In requests, \`null\` counts as absent for every field that is not required.
Unknown fields are refused with a 400 that names them, but inside messages, items and tools they are left out, and reported in
\`debug.normalizations\`. Answers may get new fields: ignore those that you do not know.`;

export function apiPage(): string {
  const components = { ...requestComponents(), ...answerComponents() };
  return page([
    generated,
    '# API reference',
    introduction,
    contents(),
    '## Request headers',
    headerTable(requestHeaders),
    'They are read by the operations that call models, and are optional.',
    '## Response headers',
    headerTable([requestIdHeader, anthropicRequestIdHeader, ...modelHeaders, ...anthropicHeaders]),
    'Every answer has `x-request-id`; the others come with the operations that call models, `anthropic-ratelimit-*` with the Messages operations.',
    ...operations.map((operation) => section(operation, components)),
    '## Shared objects',
    ...shared.flatMap((name) => sharedObject(name, (one) => components[one])),
  ]);
}

const contents = (): string =>
  table(
    ['Operation', 'Path'],
    operations.map((operation) => [
      linkTo(reference[operation.name].title),
      `\`${operation.method} ${documentedPath(operation)}\``,
    ]),
  );

const headerTable = (headers: readonly HeaderReference[]): string =>
  table(
    ['Header', 'Example', 'Description'],
    headers.map(({ name, example, description }) => [`\`${name}\``, `\`${example}\``, description]),
  );

function section(operation: Operation, components: Components): string {
  const { name, method, authenticated } = operation;
  const path = documentedPath(operation);
  const { title, summary, request, answer, event } = reference[name];
  const resolve: Resolve = (component) => (shared.includes(component) ? undefined : components[component]);
  const { schema } = describeRequest(name);
  const rows = fieldRows([schema], (component) => components[component]);
  return page([
    `## ${title}`,
    code('http', `${method} ${path}`),
    authenticated ? summary : `${summary} Public.`,
    rows.length > 0 ? `### ${request ? 'Body' : 'Parameters'}` : '',
    rows.length > 0 ? requestTables(rows, path) : '',
    exampleRequest(operation),
    ...(answer ? ['### Answer', ...answerParts(operation, answer, resolve)] : []),
    event ? eventSection(operation, event, resolve) : '',
  ]).trimEnd();
}

/** An answer that several operations have is shown with the first of them. */
function answerParts(operation: Operation, answer: string, resolve: Resolve): readonly string[] {
  const first = operations.find(({ name }) => reference[name].answer === answer);
  if (first && first !== operation) return [`The same as for ${linkTo(reference[first.name].title)}.`];
  return [answerTables(fieldRows(formsOf({ $ref: answer }, resolve), resolve)), exampleAnswer(operation)];
}

function exampleRequest(operation: Operation): string {
  const request = operation.name === 'openapi' ? undefined : examples[operation.name].request;
  if (!request) return '';
  const { request: body, file } = reference[operation.name];
  if (file) return `Example:\n\n${code('sh', formCommand(operation, request))}`;
  const shown = body
    ? code('json', JSON.stringify(request, null, 2))
    : code('http', requestLine(operation, request));
  return `Example:\n\n${shown}`;
}

/** A form is shown as the command that sends it. */
function formCommand({ path }: Operation, request: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(request).map(([name, value]) => ` -F ${name}=${value}`);
  const url = `"$OPENAI_BASE_URL${path.replace('/v1', '').replaceAll(/\{(\w+)\}/g, '$$$1')}"`;
  return `curl ${url} -H "Authorization: Bearer $OPENAI_API_KEY"${fields.join('')}`;
}

/** The path with its parameters, and the others as its query. */
function requestLine({ method, path }: Operation, request: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(request);
  const inQuery = names.filter((name) => !path.includes(`{${name}}`));
  const filled = names.reduce((text, name) => text.replace(`{${name}}`, `${request[name]}`), path);
  const query = inQuery.map((name) => `${name}=${request[name]}`).join('&');
  return `${method} ${filled}${query === '' ? '' : `?${query}`}`;
}

function exampleStream({ name }: Operation): string {
  const { events = [] } = name === 'openapi' ? {} : examples[name];
  if (events.length === 0) return '';
  const data = [...events.map((event) => JSON.stringify(event)), '[DONE]'];
  return `Example:\n\n${code('text', data.map((text) => `data: ${text}`).join('\n\n'))}`;
}

function exampleAnswer({ name }: Operation): string {
  if (name === 'openapi') return '';
  return `Example:\n\n${code('json', JSON.stringify(examples[name].answer, null, 2))}`;
}

function eventSection(operation: Operation, event: string, resolve: Resolve): string {
  const schema = resolve(event) ?? {};
  const forms = formsOf({ $ref: event }, resolve);
  const body =
    forms.length === 1
      ? answerTables(fieldRows(forms, resolve))
      : eventTable(forms.map(({ properties = {} }) => properties));
  return page(['### Stream', schema.description ?? '', body, exampleStream(operation)]).trimEnd();
}

const eventTable = (events: readonly Readonly<Record<string, { const?: unknown }>>[]): string =>
  table(
    ['Event', 'Fields beside `type` and `sequence_number`'],
    events.map(({ type, sequence_number: _, ...fields }) => [
      `\`${type?.const}\``,
      Object.keys(fields)
        .map((name) => `\`${name}\``)
        .join(', '),
    ]),
  );
