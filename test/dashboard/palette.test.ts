/** What the command palette finds for a text. */
import { expect, test } from 'vitest';
import { placesFor } from '../../dashboard/shell/palette/places.ts';

const pages = [
  { name: 'overview', title: 'Overview' },
  { name: 'providers', title: 'Providers', words: 'settings' },
];
const none = { pages, keys: [], tenants: [], models: [] };
const words = (...asked: Parameters<typeof placesFor>) =>
  placesFor(...asked).flatMap(({ title, places }) => places.map((place) => `${title}: ${place.title}`));

test('without a text, it has the pages, and with one those whose title or further words have it', () => {
  expect(words('', none)).toEqual(['Pages: Overview', 'Pages: Providers']);
  for (const text of ['PROV', 'sett']) expect(words(text, none)).toEqual(['Pages: Providers']);
});

test('what lists have for it is in groups, and opens alone, without the filters that were set', () => {
  const groups = placesFor('ac', {
    pages,
    keys: [{ id: 'key_1', name: null, tenant: 'acme' }],
    tenants: [{ id: 'acme' }],
    models: [{ id: 'acme/one' }],
  });
  expect(groups.map(({ title }) => title)).toEqual(['Keys', 'Tenants', 'Models']);
  expect(groups[0]?.places).toEqual([
    {
      title: 'key_1',
      detail: 'acme · key_1',
      page: 'keys',
      with: { tenant: null, model: null, key: null, user: null, id: 'key_1' },
    },
  ]);
});

test.each([
  ['req_0197ab', true],
  ['short', false],
  ['two words', false],
  ['x'.repeat(129), false],
])('%j may be the id of a request: %s', (text, isId) => {
  expect(words(text, none)).toEqual(isId ? [`Requests: ${text}`] : []);
});
