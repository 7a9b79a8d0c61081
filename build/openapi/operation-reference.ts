/** What the reference has of one operation beside its route. */
import type * as z from 'zod';
import type { Operation, OperationName } from '../../lib/core/operations.ts';
import type { Fields } from './describe-fields.ts';

/** The path of an operation without the mark of a parameter that takes several segments, which OpenAPI does not have. */
export const documentedPath = ({ path }: Pick<Operation, 'path'>): string => path.replace('+}', '}');

export interface OperationReference {
  /** The group in the reference. */
  readonly tag: string;
  readonly title: string;
  readonly summary: string;
  /** Of the body, or of the parameters of an operation without a body. */
  readonly schema: z.core.$ZodType;
  readonly fields: Fields;
  /** Names of parts of the body. */
  readonly components?: Fields;
  /** The component with the schema of the body. */
  readonly request?: string;
  /** The field of the body that has a file: then the body is a form. */
  readonly file?: string;
  /** Whether the body is a form, or JSON. */
  readonly isForm?: true;
  /** The component with the schema of the answer; absent: any object. */
  readonly answer?: string;
  /** The component with the schema of one event, where the answer may be a stream. */
  readonly event?: string;
  /** Whether the answer has a tag, by which a client asks whether it is still so. */
  readonly isTagged?: true;
  /** Whether the answer is audio, or events with pieces of it. */
  readonly isAudio?: true;
  /** Whether the answer is bytes. */
  readonly isBytes?: true;
  /** Whether the answer is always a stream, of events of any operation. */
  readonly isAnyStream?: true;
}

export type OperationReferences = Readonly<Partial<Record<OperationName, OperationReference>>>;

/** The references of operations of one group. */
export const tagged = <Name extends OperationName>(
  tag: string,
  references: Readonly<Record<Name, Omit<OperationReference, 'tag'>>>,
) => withTag(tag, references) as Readonly<Record<Name, OperationReference>>;

/** The same with the group's tag. */
export const withTag = <Reference extends object>(
  tag: string,
  references: Readonly<Record<string, Reference>>,
) => Object.fromEntries(Object.entries(references).map(([name, reference]) => [name, { tag, ...reference }]));
