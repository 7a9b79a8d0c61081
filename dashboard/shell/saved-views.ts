/** Views that a user has named: addresses of the dashboard, in this browser. */

export interface SavedView {
  readonly name: string;
  /** Below the dashboard's own address, such as `requests?range=today`. */
  readonly address: string;
}

export const maxViews = 30;
export const maxViewName = 60;
const maxAddress = 4_000;

/** What is kept as text. What is no view is left out. */
export function readViews(text: string | null): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(kept) ? kept.filter(isView).slice(0, maxViews) : [];
  } catch {
    return [];
  }
}

const isView = (value: unknown): value is SavedView => {
  const { name, address } = (value ?? {}) as Partial<Record<keyof SavedView, unknown>>;
  return isText(name, maxViewName) && isText(address, maxAddress) && /^[a-z-]+(\?|$)/.test(address);
};

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= max;

/** The last one first; one of the same name is replaced, and the oldest makes room. */
export const withView = (views: readonly SavedView[], view: SavedView): readonly SavedView[] =>
  [view, ...withoutView(views, view.name)].slice(0, maxViews);

export const withoutView = (views: readonly SavedView[], name: string): readonly SavedView[] =>
  views.filter((view) => view.name !== name);
