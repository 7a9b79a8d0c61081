/** Where a user goes after the sign-in: to a page of the dashboard, and nowhere else. */
import { problemParameter, type SignInProblem } from './problems.ts';

/** Longer paths lead to the first page. */
const maxReturnPath = 1_000;
export const firstPage = '/dashboard/overview';

/** A path that browsers could read as another host, or that is not the dashboard's, leads to the first page. */
export function returnPathOf(given: string | undefined): string {
  if (given === undefined || given.length > maxReturnPath || !/^\/dashboard(?:[/?#]|$)/.test(given))
    return firstPage;
  // Browsers read a backslash as a slash, and leave out tabs and line ends.
  if (/[\\\p{C}]/u.test(given)) return firstPage;
  const base = 'https://dashboard.invalid';
  const url = URL.parse(given, base);
  // Resolved, so that `..` leads out of nothing.
  if (url?.origin !== base || !/^\/dashboard(?:\/|$)/.test(url.pathname)) return firstPage;
  return url.pathname + url.search + url.hash;
}

export const problemPath = (problem: SignInProblem): string => `${firstPage}?${problemParameter}=${problem}`;
