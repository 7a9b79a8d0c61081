/** What to do when a part of the page is no longer there: a deployment has replaced it while the page was open. */

const reloadedKey = 'reloaded-at';

/** In milliseconds. A second failure within it has another reason. */
const patience = 20_000;

/** Whether this page has just been loaded again for a new version. */
export function isNewVersion(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(reloadedKey)) < patience;
  } catch {
    // Without storage there is no reload, and so no notice.
    return false;
  }
}

/** Loads the page again, once, if the gateway has another version of it. Returns whether it does: otherwise the failure is shown. */
export async function reloadForNewVersion(): Promise<boolean> {
  if (isNewVersion() || !(await isReplaced().catch(() => false))) return false;
  try {
    sessionStorage.setItem(reloadedKey, `${Date.now()}`);
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/** Whether the gateway's page has other scripts than this one. Rejects where it cannot be read. */
async function isReplaced(): Promise<boolean> {
  const response = await fetch(location.href, { cache: 'no-store' });
  const page = response.ok ? await response.text() : '';
  return (
    page !== '' &&
    [...document.scripts].some(({ src }) => !page.includes(src.slice(src.lastIndexOf('/') + 1)))
  );
}
