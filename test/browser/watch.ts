import type { BrowserContext, ConsoleMessage, Request, Response } from 'playwright-core';
import type { Documented, Made } from './documented.js';

/** Chromium says so itself of every answer that is a problem, also where the page expects it. */
const saysStatus = /^Failed to load resource: the server responded with a status of \d+/;

/** Reports violations of the policy where the console is read. */
const tellViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('violates ' + event.violatedDirective + ': ' + event.blockedURI + ' ' + event.sample));`;

/** Sees all that browsers ask of the system, and what goes wrong in their pages. */
export class Watch {
  /** Requests of the API. */
  readonly calls: (Made & { readonly operation: string })[] = [];
  private readonly wrong = new Set<string>();
  private secrets: string[] = [];

  constructor(private readonly documented: Documented) {}

  /** A key or a token, which no address may have. */
  hides(secret: string): void {
    this.secrets.push(secret);
  }

  async over(context: BrowserContext): Promise<void> {
    await context.addInitScript(tellViolations);
    context.on('request', (request) => this.sees(request));
    context.on('response', (response) => this.hears(response));
    context.on('console', (message) => this.reads(message));
    context.on('weberror', (error) => this.wrong.add(`the page threw: ${error.error().stack ?? ''}`));
  }

  /** What was wrong since the last time that this was asked. */
  takeWrong(): string[] {
    const taken = [...this.wrong];
    this.wrong.clear();
    return taken;
  }

  private sees(request: Request): void {
    const url = request.url();
    if (url.startsWith('blob:') || url.startsWith('data:')) return;
    for (const secret of this.secrets)
      if (decodeURIComponent(url).includes(secret)) this.wrong.add(`${new URL(url).pathname} has a key`);
    const made: Made = { method: request.method(), url, body: request.postData() };
    const wrong = this.documented.wrongWith(made);
    for (const each of wrong) this.wrong.add(each);
    if (wrong.length > 0) return;
    const operation = this.documented.operationOf(made);
    if (operation) this.calls.push({ ...made, operation: operation.operationId });
  }

  private hears(response: Response): void {
    const request = response.request();
    const made: Made = { method: request.method(), url: response.url(), body: request.postData() };
    if (made.url.startsWith('blob:') || this.documented.wrongWith(made).length > 0) return;
    if (response.status() >= 500 || !this.documented.answers(made, response.status()))
      this.wrong.add(`${made.method} ${new URL(made.url).pathname} answered ${response.status()}`);
  }

  private reads(message: ConsoleMessage): void {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (saysStatus.test(message.text())) return;
    const { pathname } = new URL(message.page()?.url() ?? 'http://nowhere/');
    this.wrong.add(`${pathname}: console ${message.type()}: ${message.text()}`);
  }
}
