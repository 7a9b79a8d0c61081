/** A page of a browser that fails its test for what a user would not see: errors in the console, exceptions, refusals of the content security policy. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { expect } from 'vitest';

export interface WatchedPage {
  readonly page: Page;
  /** Errors that a step of the test causes on purpose, as a call that is refused. */
  allow(...errors: readonly RegExp[]): void;
  /** What was reported so far, without what is allowed. */
  problems(): readonly string[];
  /** No violation of the rules of axe in what is shown now. */
  checkAccessibility(): Promise<void>;
  /** Nothing is wider than the window. */
  checkWidth(): Promise<void>;
  /** Closes the page. Fails the test if anything was reported. */
  close(): Promise<void>;
}

export const sizes = {
  wide: { width: 1_920, height: 1_080 },
  desktop: { width: 1_280, height: 800 },
  phone: { width: 360, height: 740 },
} as const;

/** For what a step waits for, in milliseconds: a busy machine takes its time. */
const maxWaitMs = 60_000;

/** In a profile of its own, to which no one is signed in. */
export async function openWatched(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: sizes.desktop, timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(maxWaitMs);
  const reported: string[] = [];
  const allowed: RegExp[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') reported.push(textOf(message));
  });
  page.on('pageerror', (error) => reported.push(`exception: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left stops what it was reading.
    if (reason !== 'net::ERR_ABORTED') reported.push(`${request.url()}: ${reason}`);
  });
  await page.addInitScript(reportRefusals);
  const problems = () => reported.filter((text) => !allowed.some((pattern) => pattern.test(text)));
  return {
    page,
    problems,
    allow: (...errors) => void allowed.push(...errors),
    async checkAccessibility() {
      // What moves in has its colours when it is there.
      await page.evaluate(animationsEnd);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id, nodes }) => ({
          id,
          nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => ({ html, failureSummary })),
        })),
      ).toEqual([]);
    },
    async checkWidth() {
      const [content, window] = await page.evaluate<[number, number]>(widths);
      expect(content, `${page.url()} is ${content} pixels wide`).toBeLessThanOrEqual(window);
    },
    async close() {
      const found = problems();
      await context.close();
      expect(found).toEqual([]);
    },
  };
}

// Programs for the page are texts: there are no types of a browser here.
const reportRefusals = {
  content: `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('content security policy: ' + violatedDirective + ' refused ' + blockedURI))`,
};
const animationsEnd =
  'Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))).then(() => {})';
const widths = '[document.documentElement.scrollWidth, document.documentElement.clientWidth]';

const textOf = (message: ConsoleMessage): string =>
  `${message.type()}: ${message.text()} (${message.location().url})`;
