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

/** Loads the page again, once. Returns whether it does: otherwise the failure is shown. */
export function reloadForNewVersion(): boolean {
  if (isNewVersion()) return false;
  try {
    sessionStorage.setItem(reloadedKey, `${Date.now()}`);
  } catch {
    return false;
  }
  location.reload();
  return true;
}
