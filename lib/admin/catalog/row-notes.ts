/**
 * What a catalog row says for people and for `catalog compare`, and not for requests: where its facts come from, when a deployment
 * ends, and in what it knowingly differs from a public price file.
 */
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';

const sourcePattern = /^.{3,200}, \d{4}-\d{2}-\d{2}$/;

/** Who said it and when it was read: `api-docs.deepseek.com pricing, 2026-11-22`. */
const sources = () =>
  z.exactOptional(
    z.array(
      z.string().check(z.regex(sourcePattern, 'A source ends with its date, as in "name, 2026-11-22"')),
    ),
  );

const deploymentSchema = lazy(() =>
  z.object({
    sources: sources(),
    /** The day from which the provider has announced to serve it no more. */
    ends: z.exactOptional(z.iso.date()),
    differs: z.exactOptional(
      z.array(
        z.strictObject({
          /** Whose price file it is. That of models.dev is no longer read, and rows may still name it. */
          file: z.enum(['litellm', 'models.dev']),
          /** As `catalog compare` names them. */
          fields: z.array(z.string()).check(z.minLength(1)),
          reason: z.string().check(z.minLength(10)),
        }),
      ),
    ),
  }),
);

const notesSchema = lazy(() => z.object({ sources: sources(), deployments: z.array(deploymentSchema()) }));

type RowNotes = z.output<ReturnType<typeof notesSchema>>;
export type DeploymentNotes = RowNotes['deployments'][number];

/** The notes of a row, its deployments in order. Throws for malformed ones. */
export function readRowNotes(row: unknown): RowNotes {
  const { data, error } = notesSchema().safeParse(row);
  if (error) throw new Error(`Malformed catalog row: ${faultsInNotes(row).join('; ')}. Run: catalog lint`);
  return data;
}

/** What is wrong with the notes of a row. */
export function faultsInNotes(row: unknown): readonly string[] {
  const { error } = notesSchema().safeParse(row);
  return (error?.issues ?? []).map(({ path, message, code }) => `${path.join('.')}: ${message || code}`);
}
