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
