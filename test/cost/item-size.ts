/** The size of an item as DynamoDB counts it: names and values, numbers by digits, an overhead for each list and map. */
type Value = Readonly<Record<string, unknown>>;

export const itemSize = (item: Readonly<Record<string, Value>>): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value), 0);

const envelope = 3;

function valueSize(value: Value): number {
  const [type = '', held] = Object.entries(value)[0] ?? [];
  if (type === 'N') return Math.ceil(String(held).replaceAll(/\D/g, '').length / 2) + 1;
  if (type === 'B') return Buffer.from(String(held), 'base64').length;
  if (type === 'M' && isMap(held)) return envelope + itemSize(held) + Object.keys(held).length;
  if (type === 'L' && Array.isArray(held))
    return held.reduce((sum, one) => sum + 1 + valueSize(one), envelope);
  if (type === 'S') return Buffer.byteLength(String(held));
  return 1;
}

const isMap = (value: unknown): value is Readonly<Record<string, Value>> =>
  typeof value === 'object' && value !== null;
