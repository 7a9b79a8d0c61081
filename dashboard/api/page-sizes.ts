/** How many rows the API gives at once, by the path of a list: for those who read all of it. Lists that are always whole have none. */
export const pageSizes: Readonly<Record<string, number>> = {
  '/alerts': 200,
  '/audit': 200,
  '/batches': 100,
  '/keys': 1_000,
  '/management-keys': 1_000,
  '/members': 50,
  '/models': 1_000,
  '/requests': 200,
  '/tenants': 1_000,
  '/usage': 1_000,
};
