/** What to do when a part of the page is no longer there: a deployment has replaced it while the page was open. */

const reloadedKey = 'reloaded-at';

/** In milliseconds. A second failure within it has another reason. */
const patience = 20_000;

/** Whether this page began by a reload for a new version; asked once. */
export let isNewVersion = false;

/** At the start. */
export function watchDeployments(): void {
  try {
    isNewVersion = Date.now() - Number(sessionStorage.getItem(reloadedKey)) < patience;
  } catch {
    // Without storage there is no reload, and so no notice.
  }
}

/** Loads the page again, once. Returns whether it does: otherwise the failure is shown. */
export function reloadForNewVersion(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(reloadedKey)) < patience) return false;
    sessionStorage.setItem(reloadedKey, `${Date.now()}`);
  } catch {
    return false;
  }
  location.reload();
  return true;
}
