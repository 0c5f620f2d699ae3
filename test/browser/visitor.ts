import type { OperatorRole } from '@muster/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { Watch } from './watch.js';

/** How a page is looked at. */
export interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

export const usual: Look = { width: 1_440, scheme: 'light' };
const heights: Readonly<Record<number, number>> = { 390: 844, 1_440: 900, 2_560: 1_440 };

const viewportOf = (width: number): { width: number; height: number } => ({
  width,
  height: heights[width] ?? 900,
});

const settleMs = 300;

/** A page that is not there after this long is broken. */
export const patienceMs = 20_000;

/** An operator with a browser of their own, signed in. */
export class Visitor {
  private constructor(
    readonly role: OperatorRole,
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly url: string,
  ) {}

  /** Opens the dashboard and signs in by a key, as a person does. */
  static async signIn(
    browser: Browser,
    watch: Watch | null,
    { url, role, key, look = usual }: { url: string; role: OperatorRole; key: string; look?: Look },
  ): Promise<Visitor> {
    const visitor = await Visitor.arrive(browser, watch, { url, role, look, path: '/' });
    await visitor.page.getByLabel('Key or token').first().fill(key);
    await visitor.page.keyboard.press('Enter');
    await visitor.ready();
    return visitor;
  }

  /** Opens an address of the dashboard, such as that of a link that signs in. */
  static async arrive(
    browser: Browser,
    watch: Watch | null,
    { url, role, path, look = usual }: { url: string; role: OperatorRole; path: string; look?: Look },
  ): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: viewportOf(look.width),
      colorScheme: look.scheme,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    await watch?.over(context);
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    const visitor = new Visitor(role, context, page, url);
    await page.goto(`${url}/dashboard${path}`);
    return visitor;
  }

  /** Opens an address below /dashboard and waits until its page has been read. */
  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}/dashboard${path}`);
    await this.ready();
  }

  /** Goes to an address without loading the page again, as a link in it does. */
  async go(path: string): Promise<void> {
    await this.page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(`/dashboard${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await this.ready();
  }

  async look({ width, scheme }: Look): Promise<void> {
    await this.page.setViewportSize(viewportOf(width));
    await this.page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    // Some colours change slowly.
    await pause(settleMs);
  }

  /** Waits until the page has its title and nothing of it is still being read. */
  async ready(): Promise<void> {
    await this.main.getByRole('heading', { level: 1 }).first().waitFor();
    const reading = this.page.locator('[aria-label="Reading"], [aria-label="Signing in"]');
    const until = performance.now() + patienceMs;
    while ((await reading.count()) > 0) {
      if (performance.now() > until) throw new Error(`${this.page.url()} is still being read`);
      await pause(50);
    }
  }

  get main(): Locator {
    return this.page.locator('main');
  }

  /** What a page says, as it is seen. */
  text(): Promise<string> {
    return this.main.innerText();
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
