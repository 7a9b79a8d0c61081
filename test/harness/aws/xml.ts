/** XML as services with the query protocol write it. Source: smithy.io, "AWS query protocol". */

/** Members of a list are `member` elements; undefined is left out. */
export function toXml(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => `<member>${toXml(one)}</member>`).join('');
  if (typeof value !== 'object' || value === null) return escaped(String(value));
  return Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `<${name}>${toXml(one)}</${name}>`)
    .join('');
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
