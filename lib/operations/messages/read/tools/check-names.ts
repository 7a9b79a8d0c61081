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

/** The names that are read of an object. What has none below is not looked into: it may be arbitrary JSON of the caller. */
interface Level {
  readonly below: Map<string, Level>;
  /** The same names by their plain ones. */
  readonly spelled: Map<string, string>;
}

/** What is read of the original beside what the schema reads. */
const readBesideSchema = [
  'container.id',
  'container.skills.type',
  'context_management.edits.type',
  'diagnostics.previous_message_id',
  'tools.model',
  'messages.content.tool.definition.model',
  'messages.content.tool_changes',
  'messages.content.file_id',
  'messages.content.source.file_id',
  'messages.content.encrypted_content',
  'messages.content.citations.encrypted_index',
];

const readNames = lazy((): Level => {
  const top = newLevel();
  addSchema(messagesSchema, top);
  for (const path of readBesideSchema) path.split('.').reduce(levelBelow, top);
  const block = ['messages', 'content'].reduce(levelBelow, top);
  // Blocks stand in blocks, in what a document consists of, and beside the conversation.
  for (const above of [block, levelBelow(block, 'source')]) above.below.set('content', block);
  block.below.set('tool_changes', block);
  top.below.set('system', block);
  return top;
});

const newLevel = (): Level => ({ below: new Map(), spelled: new Map() });

function levelBelow({ below, spelled }: Level, name: string): Level {
  const level = below.get(name) ?? newLevel();
  below.set(name, level);
  spelled.set(plainName(name), name);
  return level;
}

/** What a schema consists of: `forms` are those of `chosenVariant`. */
interface Parts {
  readonly shape?: z.core.$ZodShape;
  readonly options?: readonly z.core.$ZodType[];
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  /** What a lazy schema stands for. */
  readonly getter?: () => z.core.$ZodType;
}

function addSchema(schema: z.core.$ZodType & { readonly forms?: readonly z.core.$ZodType[] }, level: Level) {
  const { shape = {}, options = [], element, innerType, in: input, getter } = schema._zod.def as Parts;
  for (const part of [...(schema.forms ?? []), ...options, element, innerType, input, getter?.()]) {
    if (part) addSchema(part, level);
  }
  for (const [name, field] of Object.entries(shape)) addSchema(field, levelBelow(level, name));
}

/** @throws GatewayError `invalid_request` for a name that differs from one that is read in its spelling alone. */
export function checkNames(given: unknown): void {
  const variant = variantIn(given, readNames());
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
    const below = level.below.get(name);
    if (below === undefined) {
      const meant = level.spelled.get(plainName(name));
      if (meant !== undefined) return { path: name.slice(0, maxNameLength), meant };
    } else if (below.below.size > 0) {
      const found = variantIn(object[name], below);
      if (found) return { ...found, path: `${name}.${found.path}` };
    }
  }
  return undefined;
}
