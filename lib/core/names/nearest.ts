/** Known names that a mistyped one is near to. */
import { editDistance } from './closest-name.ts';

/** A snapshot's date: most catalogs have the model without it. */
const date = /[-@]\d{8}$/;

/** Up to three ids that differ from the requested one in few letters, or end in the same model name. A date does not count. */
export function nearest(requested: string, ids: readonly string[]): readonly string[] {
  const wanted = requested.slice(0, 100).toLowerCase().replace(date, '');
  const limit = Math.max(2, Math.floor(wanted.length / 4));
  return ids
    .map((id) => ({ id, distance: distanceTo(wanted, id) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || a.id.localeCompare(b.id))
    .slice(0, 3)
    .map(({ id }) => id);
}

function distanceTo(wanted: string, id: string): number {
  const name = id.slice(id.indexOf('/') + 1);
  if (wanted === name) return 0;
  return Math.min(editDistance(wanted, id), editDistance(wanted, name));
}

/** A sentence with the most similar name, or nothing. Very short names are similar to too many others. */
export function didYouMean(
  typed: string,
  names: readonly string[],
  format: (name: string) => string = (name) => `'${name}'`,
): string {
  const [name] = typed.length < 4 ? [] : nearest(typed, names);
  return name === undefined ? '' : ` Did you mean ${format(name)}?`;
}
