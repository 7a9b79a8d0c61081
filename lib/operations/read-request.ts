/** Functions that the readers of several operations share. */
import { GatewayError } from '../core/errors.ts';
import type { JsonObject, ResponseFormat, Tool } from '../core/generation/request.ts';

export function invalid(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `'${param}' ${problem}.`, { param });
}

/** The fields of these names that are present and not null. */
export function given<Body extends object, Name extends keyof Body & string>(
  body: Body,
  names: readonly Name[],
): { readonly [Key in Name]?: NonNullable<Body[Key]> };
export function given(body: JsonObject, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, body[name]]).filter(([, value]) => value != null));
}

interface FunctionBody {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly parameters?: JsonObject | null | undefined;
  readonly strict?: boolean | null | undefined;
}

export function readFunction({ name, ...others }: FunctionBody): Tool {
  return { name, ...given(others, ['description', 'parameters', 'strict']) };
}

interface JsonSchemaBody {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly schema?: JsonObject | null | undefined;
  readonly strict?: boolean | null | undefined;
}

export function readJsonSchema({ name, ...others }: JsonSchemaBody): ResponseFormat {
  return {
    type: 'json_schema',
    json_schema: { name, ...given(others, ['description', 'schema', 'strict']) },
  };
}

/** The index of the first name that occurs before; undefined if all are different. */
export function indexOfDuplicate(names: readonly (string | undefined)[]): number | undefined {
  const found = names.findIndex((name, index) => name !== undefined && names.indexOf(name) !== index);
  return found < 0 ? undefined : found;
}
