/** Runs before the first paint, so that the page does not flash in the other theme. */
{
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch {
    // The browser keeps nothing for this page: it has the system's theme.
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}
