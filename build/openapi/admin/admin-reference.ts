/** What the reference of the dashboard's API has of one operation beside its row. */
import type * as z from 'zod';
import { withTag } from '../operation-reference.ts';

export interface AdminReference {
  /** The group in the reference. */
  readonly tag: string;
  readonly title: string;
  readonly summary: string;
  /** Of path and query; absent: there are none. */
  readonly parameters?: z.core.$ZodType;
  readonly body?: z.core.$ZodType;
  /** The component of the answer, and its schema; absent: any object. */
  readonly answer?: readonly [name: string, schema: z.core.$ZodType];
  /** Whether a change may name the state that it was made of, in `If-Match`. */
  readonly takesIfMatch?: true;
  /** Whether it may be refused, by `If-None-Match: *`, where what it sets exists. */
  readonly takesIfNoneMatch?: true;
}

/** The references of operations of one group. */
export const tagged = (
  tag: string,
  references: Readonly<Record<string, Omit<AdminReference, 'tag'>>>,
): Readonly<Record<string, AdminReference>> => withTag(tag, references);
