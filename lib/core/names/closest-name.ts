/** The known name that a mistyped one is closest to. Work is bounded: a caller may send names of any length. */

/** More characters of a name are not compared. */
const maxCompared = 100;

/** The closest of the names, where about a third of the typed characters may differ. Upper and lower case are the same. */
export function closestName(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > maxCompared) return undefined;
  const limit = typed.length < 3 ? 0 : Math.ceil(typed.length / 3);
  const [closest] = rankByDistance(typed, names).filter(({ distance }) => distance <= limit);
  return closest?.name;
}

function rankByDistance(typed: string, names: readonly string[]) {
  const wanted = typed.toLowerCase();
  return names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
}

/** The Levenshtein distance of the first 100 characters, computed one row at a time. */
export function editDistance(one: string, other: string): number {
  const [a, b] = [one.slice(0, maxCompared), other.slice(0, maxCompared)];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** A snapshot's date: most catalogs have the model without it. */
const date = /[-@]\d{8}$/;

/** Up to three ids that differ from the requested one in few letters, or end in the same model name. Dates are ignored. */
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
