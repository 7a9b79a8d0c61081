/** The OpenAPI document, made from the route table, the schemas, the error table and the examples. */
import { type ErrorKind, errorKinds } from '../../lib/core/errors/error-kinds.ts';
import { type ErrorForm, type Operation, operations } from '../../lib/core/operations.ts';
import { answerComponents, describeRequest, requestComponents } from './components.ts';
import { examples } from './example-bodies.ts';
import type { Example } from './examples/example.ts';
import {
  anthropicHeaders,
  anthropicRequestIdHeader,
  errorHeaders,
  type HeaderReference,
  modelHeaders,
  requestHeaders,
  requestIdHeader,
} from './headers.ts';
import { documentHead, type JsonSchema, parameterObjects } from './json-schema.ts';
import { errorsOf, meaningFor } from './operation-errors.ts';
import { documentedPath } from './operation-reference.ts';
import { reference } from './reference.ts';

const prefix = '/v1';

export function openapiDocument() {
  return {
    ...documentHead(
      'Model gateway',
      'One OpenAI-shaped HTTP API over many model providers. SDKs of OpenAI work with the base URL and a key of this gateway. A field that is null counts as absent where its type includes null.',
      prefix,
    ),
    tags: [...new Set(operations.map(({ name }) => reference[name].tag))].map((name) => ({ name })),
    paths: paths(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the gateway: `mgw_…`.' },
        xApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same key, alone.' },
        azureApiKey: { type: 'apiKey', in: 'header', name: 'api-key', description: 'The same key, alone.' },
      },
      parameters: Object.fromEntries(requestHeaders.map((header) => [header.name, headerParameter(header)])),
      headers: Object.fromEntries(
        [
          requestIdHeader,
          anthropicRequestIdHeader,
          ...modelHeaders,
          ...anthropicHeaders,
          ...errorHeaders,
        ].map((header) => [header.name, headerObject(header)]),
      ),
      responses: errorResponses(),
      schemas: { ...requestComponents(), ...answerComponents() },
    },
  };
}

function paths(): Readonly<Record<string, object>> {
  const all = [...new Set(operations.map(documentedPath))];
  return Object.fromEntries(
    all.map((path) => {
      const served = operations.filter((operation) => documentedPath(operation) === path);
      const methods = served.map((operation) => [operation.method.toLowerCase(), operationObject(operation)]);
      return [path.slice(prefix.length), Object.fromEntries(methods)];
    }),
  );
}

function operationObject(operation: Operation): object {
  const { name, authenticated, endpoint } = operation;
  const { tag, title, summary, request, file, isForm } = reference[name];
  const example = exampleOf(operation);
  const headers =
    endpoint === undefined ? [] : requestHeaders.map(({ name: header }) => refTo('parameters', header));
  const path = documentedPath(operation);
  const asked = parameterObjects(path, describeRequest(name).schema);
  const parameters = [...asked.filter((one) => !request || one.in === 'path'), ...headers];
  const type = file || isForm ? 'multipart/form-data' : 'application/json';
  const schema = request && refTo('schemas', request);
  const json = { schema, ...(example?.request && { example: example.request }) };
  return {
    operationId: name,
    tags: [tag],
    summary: title,
    description: summary,
    security: authenticated ? [{ apiKey: [] }, { xApiKey: [] }, { azureApiKey: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(request && {
      requestBody: {
        required: true,
        content: { [type]: isForm ? { schema } : json, ...(isForm && { 'application/json': json }) },
      },
    }),
    responses: { 200: success(operation, example), ...unchanged(operation), ...errors(operation) },
  };
}

const exampleOf = ({ name }: Operation): Example | undefined =>
  name === 'openapi' ? undefined : examples[name];

const refTo = (kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): JsonSchema => ({
  $ref: `#/components/${kind}/${name}`,
});

const binary = { schema: { type: 'string', format: 'binary' } };

function success(operation: Operation, example: Example | undefined): object {
  const { endpoint, errors: form } = operation;
  const { answer, event, isAnyStream, isAudio, isBytes } = reference[operation.name];
  const schema = answer ? refTo('schemas', answer) : { type: 'object' };
  const stream = event && { 'text/event-stream': { schema: refTo('schemas', event) } };
  return {
    description: event ? 'The answer: one body, or a stream of events.' : 'The answer.',
    headers: headersNamed([
      ...idHeaders(operation),
      ...(endpoint === undefined ? [] : modelHeaders),
      ...(endpoint === undefined || form !== 'anthropic' ? [] : anthropicHeaders),
    ]),
    content: isBytes
      ? { 'application/octet-stream': binary }
      : isAudio
        ? { 'audio/*': binary, 'text/event-stream': { schema: { type: 'string' } } }
        : isAnyStream
          ? { 'text/event-stream': { schema: { type: 'string' } } }
          : { 'application/json': { schema, ...(example && { example: example.answer }) }, ...stream },
  };
}

const unchanged = ({ name }: Operation): object => ({
  ...(reference[name].isBytes && { 206: { description: 'The range that the header Range asks for.' } }),
  ...(reference[name].isTagged && { 304: { description: 'What `if-none-match` names is still so.' } }),
});

const headersNamed = (headers: readonly HeaderReference[]): object =>
  Object.fromEntries(headers.map(({ name }) => [name, refTo('headers', name)]));

const idHeaders = ({ errors: form }: Operation): readonly HeaderReference[] =>
  form === 'anthropic' ? [requestIdHeader, anthropicRequestIdHeader] : [requestIdHeader];

const formNames: Readonly<Record<ErrorForm, string>> = { anthropic: 'Anthropic', cohere: 'Cohere' };

/** Operations that call models have more errors of a status than the others, and those for Anthropic's clients another form. */
const errorName = ({ endpoint, errors: form }: Operation, status: number): string =>
  `${form === undefined ? '' : formNames[form]}${endpoint === undefined ? '' : 'Model'}Error${status}`;

function errors(operation: Operation): Readonly<Record<string, JsonSchema>> {
  const statuses = [...errorsOf(operation).keys()];
  return Object.fromEntries(
    statuses.map((status) => [status, refTo('responses', errorName(operation, status))]),
  );
}

function errorResponses(): Readonly<Record<string, object>> {
  const found = operations.flatMap((operation) =>
    [...errorsOf(operation)].map(([status, kinds]) => [
      errorName(operation, status),
      errorResponse(operation, status, kinds),
    ]),
  );
  return Object.fromEntries(found);
}

function errorResponse(operation: Operation, status: number, kinds: readonly ErrorKind[]): object {
  const sent = errorHeaders.filter(({ statuses }) => statuses.includes(status));
  const schema = refTo(
    'schemas',
    `${operation.errors === undefined ? '' : formNames[operation.errors]}Error`,
  );
  return {
    description: describeKinds(operation, kinds),
    headers: headersNamed([...idHeaders(operation), ...sent]),
    content: { 'application/json': { schema } },
  };
}

/** The types and codes of one status. */
function describeKinds(operation: Operation, kinds: readonly ErrorKind[]): string {
  const types = [...new Set(kinds.map((kind) => meaningFor(operation, kind).type))].map(
    (type) => `\`${type}\``,
  );
  const codes = [...new Set(kinds.flatMap((kind) => errorKinds[kind].code ?? []))].map(
    (code) => `\`${code}\``,
  );
  const listed = codes.length > 0 ? `; codes: ${codes.join(', ')}` : '';
  return `Type ${types.join(' or ')}${listed}.`;
}

const headerObject = ({ description, example }: HeaderReference): object => ({
  description,
  schema: { type: 'string' },
  example,
});

const headerParameter = (header: HeaderReference): object => ({
  name: header.name,
  in: 'header',
  required: false,
  ...headerObject(header),
});
