/** Adapts the JSON Schemas of a request to the target's protocol: those of strict tools and of the answer. */
import type { Target } from '../../core/catalog/model.ts';
import { pathOf, renamePath } from '../../core/generation/original/source.ts';
import type { GenerationRequest, JsonObject, ResponseFormat } from '../../core/generation/request.ts';
import { type Change, type Normalized, overridden, type SchemaDialect, type SchemaRules } from '../rule.ts';
import { type Adapted, adaptSchema, someNode } from './schema.ts';

interface Strict {
  readonly schema?: JsonObject;
  readonly strict?: boolean;
}

export function adaptSchemas(
  request: GenerationRequest,
  target: Target,
  rules: SchemaRules = {},
): Normalized {
  const { tools: offered, parameters: given } = request;
  if (offered.length === 0 && given.response_format === undefined) return { request, changes: [] };
  const changes: Change[] = [];
  const adapt = (
    given: Strict,
    dialect: SchemaDialect,
    paths: { schema: string; strict?: string },
  ): Strict => {
    const adapted = adaptStrict(given, dialect, paths);
    changes.push(...adapted.changes);
    return adapted;
  };
  const tools = offered.map((tool) => {
    if (!rules.strictTools || !tool.strict || !tool.parameters) return tool;
    const paths = { schema: pathOf(tool, 'parameters'), strict: pathOf(tool, 'strict') };
    const { schema = tool.parameters, strict } = adapt(
      { schema: tool.parameters, strict: true },
      rules.strictTools,
      paths,
    );
    return { ...tool, parameters: schema, strict: strict ?? false };
  });
  const format = adaptFormat(request, target, rules, adapt);
  const parameters = format ? { ...given, response_format: format } : given;
  return { request: { ...request, tools, parameters }, changes };
}

function adaptFormat(
  { parameters: { response_format: format }, parameterPaths }: GenerationRequest,
  target: Target,
  { output }: SchemaRules,
  adapt: (given: Strict, dialect: SchemaDialect, paths: { schema: string; strict?: string }) => Strict,
): ResponseFormat | undefined {
  if (!output || format?.type !== 'json_schema' || !format.json_schema.schema) return format;
  if (target.model.traits.structuredOutput !== 'schema') return format;
  if (output.hasLooseMode && !format.json_schema.strict) return format;
  const path = renamePath('response_format.json_schema', parameterPaths);
  const strict = output.hasLooseMode ? { strict: `${path}.strict` } : {};
  const { schema, strict: kept } = adapt(format.json_schema, output.dialect, {
    schema: `${path}.schema`,
    ...strict,
  });
  const json_schema = {
    ...format.json_schema,
    ...(schema && { schema }),
    ...(kept !== undefined && { strict: kept }),
  };
  return { ...format, json_schema };
}

/** Turns strict mode off if it does not support the schema. `paths.strict` is the field that requests it. */
function adaptStrict(
  { schema, strict }: Strict,
  dialect: SchemaDialect,
  paths: { readonly schema: string; readonly strict?: string },
): Strict & { readonly changes: readonly Change[] } {
  if (!schema) return { changes: [] };
  if (paths.strict && dialect.exceeds && someNode(schema, dialect.exceeds)) {
    const reason = 'The schema uses keywords that strict mode does not support.';
    const change: Change = overridden(paths.strict, true, false, reason);
    return { schema, strict: false, changes: [change] };
  }
  const adapted: Adapted = adaptSchema(schema, dialect, paths.schema);
  return { ...adapted, ...(strict !== undefined && { strict }) };
}
