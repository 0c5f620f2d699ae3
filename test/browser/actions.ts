import { endpointOf, mayAct, operatorRoles, type EndpointName, type OperatorRole } from '@muster/contracts';
import type { Locator } from 'playwright-core';
import { z } from 'zod';
import type { Address } from './addresses.js';
import type { Visitor } from './visitor.js';
import type { Watch } from './watch.js';

/** Something that is done on a page. */
export interface Act {
  readonly call: EndpointName;
  readonly path: string;
  /** Words of the row or the part that has the button, where a page has several. */
  readonly of?: string;
  /** What makes it possible. */
  readonly before?: (visitor: Visitor) => Promise<void>;
  /** What is entered, by the label. Other fields that must be filled get a sentence. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What the dialog says, of an act that is made and has a bad answer. */
  readonly says?: string;
}

const Calls = z.array(z.string());

const buttons = '[data-call]';
/** Others cannot have the focus. */
const enabled = `${buttons}:enabled`;

/** The role below the least one of a call; null for what everybody who signs in may do. */
export function roleBelow(call: EndpointName): OperatorRole | null {
  const { role = 'viewer' } = endpointOf(call);
  return operatorRoles[operatorRoles.indexOf(role) - 1] ?? null;
}

export const leastRole = (call: EndpointName): OperatorRole => endpointOf(call).role ?? 'viewer';

/** Calls that a page has buttons for. */
export async function offered(
  visitor: Visitor,
  path: string,
  among = buttons,
): Promise<ReadonlySet<EndpointName>> {
  await visitor.open(path);
  const calls = Calls.parse(
    await visitor.page.evaluate(
      `[...document.querySelectorAll('${among}')].map((each) => each.dataset.call)`,
    ),
  );
  return new Set(calls as EndpointName[]);
}

/**
 * Compares what a page offers to each role with what an admin sees there.
 *
 * @param visitors one of each role
 * @returns what is wrong, and the calls that somebody is offered
 */
export async function wrongOffers(
  visitors: Readonly<Record<OperatorRole, Visitor>>,
  { name, path }: Address,
): Promise<{ readonly wrong: string[]; readonly calls: ReadonlySet<EndpointName> }> {
  const all = await offered(visitors.admin, path);
  const wrong: string[] = [];
  for (const role of operatorRoles) {
    const differs = async (): Promise<EndpointName[]> => {
      const own = await offered(visitors[role], path);
      return [...all].filter((call) => mayAct(role, leastRole(call)) !== own.has(call));
    };
    // What belongs to a part that is read last may have been missed once.
    const first = await differs();
    const again = first.length === 0 ? [] : await differs();
    for (const call of again)
      wrong.push(
        `${name}: ${call} is ${mayAct(role, leastRole(call)) ? 'not offered' : 'offered'} to the role ${role}`,
      );
  }
  return { wrong, calls: all };
}

const Focused = z.object({ call: z.string().nullable(), isBody: z.boolean() });
/** More stops than a page has. */
const mostStops = 400;

/** Goes through a page by Tab. @returns buttons for changes that it does not come to */
export async function unreachable(visitor: Visitor, { name, path }: Address): Promise<string[]> {
  const wanted = await offered(visitor, path, enabled);
  const reached = new Set<string>();
  for (let stop = 0; stop < mostStops && reached.size < wanted.size; stop++) {
    await visitor.page.keyboard.press('Tab');
    const { call, isBody } = Focused.parse(
      await visitor.page.evaluate(
        `({ call: document.activeElement?.dataset.call ?? null, isBody: document.activeElement === document.body })`,
      ),
    );
    if (isBody && stop > 0) break;
    if (call !== null) reached.add(call);
  }
  return [...wanted]
    .filter((call) => !reached.has(call))
    .map((call) => `${name}: ${call} is not reached by Tab`);
}

/** Opens the dialog of an act by the keyboard, and closes it again: the focus returns to its button. */
export async function wrongDialog(visitor: Visitor, act: Act): Promise<string[]> {
  const button = await buttonOf(visitor, act);
  const dialog = await openDialog(visitor, button);
  // Only then it is known where the focus has to return to.
  await dialog.locator(':focus').waitFor();
  await visitor.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  const focused = (): Promise<unknown> => visitor.page.evaluate('document.activeElement?.dataset.call');
  // The dialog fades out before the focus returns.
  for (let tries = 0; tries < 20 && (await focused()) !== act.call; tries++)
    await visitor.page.waitForTimeout(100);
  return (await focused()) === act.call ? [] : [`${act.call}: the focus is lost when its dialog is closed`];
}

/** Does it by the keyboard. @throws Error unless the call is made and answered, and the page says so */
export async function perform(visitor: Visitor, watch: Watch, act: Act): Promise<void> {
  const { page } = visitor;
  const dialog = await openDialog(visitor, await buttonOf(visitor, act));
  for (const [label, value] of Object.entries(act.fields ?? {})) await fill(dialog, label, value);
  for (const input of await dialog.locator('input[required], textarea[required]').all())
    if ((await input.inputValue()) === '') await input.fill('By a test.');
  const before = watch.calls.length;
  const done = page.waitForResponse(
    (response) =>
      response.request().method() === endpointOf(act.call).method &&
      watch.calls
        .slice(before)
        .some(({ url, operation }) => operation === act.call && url === response.url()),
  );
  await dialog.locator('[type=submit]').focus();
  await page.keyboard.press('Enter');
  const response = await done;
  if (!response.ok()) throw new Error(`${act.call} answered ${response.status()}: ${await response.text()}`);
  if (act.says !== undefined) return dialog.getByRole('alert').filter({ hasText: act.says }).waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await page.locator('[role=status]').filter({ hasText: /\S/ }).last().waitFor();
  // A secret is shown until somebody says that they have it.
  const stored = page.getByRole('button', { name: 'I have stored it' });
  if (await stored.isVisible()) await stored.press('Enter');
}

async function fill(dialog: Locator, label: string, value: string): Promise<void> {
  const input = dialog.getByLabel(label, { exact: false }).first();
  const is = async (selector: string): Promise<boolean> =>
    (await input.and(dialog.locator(selector)).count()) > 0;
  if (await is('select')) await input.selectOption(value);
  else if (await is('[type=checkbox]')) await input.setChecked(value === 'yes');
  else await input.fill(value);
}

/** Opens the page of an act. @returns its button there */
async function buttonOf(visitor: Visitor, { call, path, of, before }: Act): Promise<Locator> {
  await visitor.open(path);
  await before?.(visitor);
  const { main } = visitor;
  const button = `[data-call="${call}"]`;
  if (of === undefined) return main.locator(button).first();
  const rows = main.locator('tr').filter({ hasText: of });
  if ((await rows.count()) > 0) return rows.first().locator(button).first();
  // The innermost part that has these words.
  return main.locator('section').filter({ hasText: of }).locator(button).last();
}

async function openDialog({ page }: Visitor, button: Locator): Promise<Locator> {
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog').filter({ has: page.locator('form') });
  await dialog.waitFor();
  return dialog;
}
