/**
 * Names that a lenient JSON reader takes for names that the gateway reads. The original goes to hosts that may read `Model` as `model`,
 * such as Ollama, which reads it with Go's encoding/json: what the gateway has checked would not be what the host does.
 */
import type * as z from 'zod/mini';
import { lazy } from '../../../../async/lazy.ts';
import { invalid } from '../../../../core/errors/invalid.ts';
import { isJsonObject } from '../../../../core/formats/json-object.ts';
import { plainName } from '../../../../core/names/plain-name.ts';
import { messagesSchema } from '../schema.ts';

/** The names that are read of an object. */
interface Level {
  /**
   * What is read below each name, found when a request has the name: it takes the schema of that field. Where that is nothing, what
   * stands there is not looked into: it may be arbitrary JSON of the caller.
   */
  readonly below: ReadonlyMap<string, () => Level>;
  /** The same names by their plain ones. */
  readonly spelled: () => ReadonlyMap<string, string>;
}

/** Names that are read beside those of a schema; a function gives what is read below a name, whatever the schema says. */
interface Beside {
  readonly [name: string]: Beside | (() => Level);
}

/** A content block. Blocks stand in blocks, in what a document consists of, and beside the conversation. */
const blockLevel = (): Level => ['messages', 'content'].reduce(levelAt, topLevel());

const levelAt = ({ below }: Level, name: string): Level => below.get(name)?.() ?? levelOf([], {});

const readBesideSchema: Beside = {
  container: { id: {}, skills: { type: {} } },
  context_management: { edits: { type: {} } },
  diagnostics: { previous_message_id: {} },
  tools: { model: {} },
  system: blockLevel,
  messages: {
    content: {
      tool: { definition: { model: {} } },
      tool_changes: blockLevel,
      content: blockLevel,
      file_id: {},
      source: { file_id: {}, content: blockLevel },
      encrypted_content: {},
      citations: { encrypted_index: {} },
    },
  },
};

const topLevel = lazy(() => levelOf([messagesSchema], readBesideSchema));

function levelOf(schemas: readonly Schema[], beside: Beside): Level {
  const shapes = schemas.flatMap(shapesOf);
  const names = [...new Set([...shapes, beside].flatMap((named) => Object.keys(named)))];
  return {
    below: new Map(names.map((name) => [name, lazy(() => levelBelow(shapes, beside, name))])),
    spelled: lazy(() => new Map(names.map((name) => [plainName(name), name]))),
  };
}

function levelBelow(shapes: readonly z.core.$ZodShape[], beside: Beside, name: string): Level {
  const more = beside[name] ?? {};
  if (typeof more === 'function') return more();
  return levelOf(
    shapes.flatMap((shape) => shape[name] ?? []),
    more,
  );
}

/** `forms` are those of `chosenVariant`. */
type Schema = z.core.$ZodType & { readonly forms?: readonly z.core.$ZodType[] };

/** What a schema consists of. */
interface Parts {
  readonly shape?: z.core.$ZodShape;
  readonly options?: readonly z.core.$ZodType[];
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  /** What a lazy schema stands for. */
  readonly getter?: () => z.core.$ZodType;
}

/** The objects that a schema accepts, by their fields. */
function shapesOf(schema: Schema): readonly z.core.$ZodShape[] {
  const { shape, options = [], element, innerType, in: input, getter } = schema._zod.def as Parts;
  const parts = [...(schema.forms ?? []), ...options, element, innerType, input, getter?.()];
  return [...(shape ? [shape] : []), ...parts.flatMap((part) => (part ? shapesOf(part) : []))];
}

/** @throws GatewayError `invalid_request` for a name that differs from one that is read in its spelling alone. */
export function checkNames(given: unknown): void {
  const variant = variantIn(given, topLevel());
  if (!variant) return;
  const problem = `is another spelling of '${variant.meant}', which some providers read as that field: write '${variant.meant}', or leave it out`;
  throw invalid(variant.path, problem);
}

interface Variant {
  readonly path: string;
  readonly meant: string;
}

const maxNameLength = 64;

function variantIn(value: unknown, level: Level): Variant | undefined {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = variantIn(value[index], level);
      if (found) return { ...found, path: `${index}.${found.path}` };
    }
    return undefined;
  }
  return isJsonObject(value) ? variantAmong(value, level) : undefined;
}

function variantAmong(object: Readonly<Record<string, unknown>>, level: Level): Variant | undefined {
  for (const name of Object.keys(object)) {
    const below = level.below.get(name)?.();
    if (below === undefined) {
      const meant = level.spelled().get(plainName(name));
      if (meant !== undefined) return { path: name.slice(0, maxNameLength), meant };
    } else if (below.below.size > 0) {
      const found = variantIn(object[name], below);
      if (found) return { ...found, path: `${name}.${found.path}` };
    }
  }
  return undefined;
}
