/** What the readers of several operations have in common. */
import { GatewayError } from '../core/errors.ts';
import type { JsonObject, ResponseFormat, Tool } from '../core/generation/request.ts';

export function invalid(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `'${param}' ${problem}.`, { param });
}

/** The fields of these names that are there and not null. */
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

/** The place of the first name that another tool before it has; undefined where all differ. */
export function placeOfRepeated(names: readonly (string | undefined)[]): number | undefined {
  const place = names.findIndex((name, index) => name !== undefined && names.indexOf(name) !== index);
  return place < 0 ? undefined : place;
}
