import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mostPictureBytes, pictureHeight, pictures, picturesFolder, pictureWidth } from './picture-names.js';
import type { Ids } from './stage.js';
import type { Visitor } from './visitor.js';

/** Where each picture is taken. */
const pathsOf = (ids: Ids): Readonly<Record<(typeof pictures)[number], string>> => ({
  overview: '/',
  'overview-dark': '/',
  queue: '/queues/5v5',
  match: `/matches/${ids.demoMatch}`,
  player: `/players/${ids.demoPlayer}`,
  fleet: '/fleet',
  rules: '/queues/5v5/rules?view=change',
});

/** Takes the pictures of the documents anew. */
export async function takePictures(visitor: Visitor, ids: Ids): Promise<void> {
  mkdirSync(picturesFolder, { recursive: true });
  const paths = pathsOf(ids);
  for (const picture of pictures) {
    await visitor.look({ width: pictureWidth, scheme: picture.endsWith('-dark') ? 'dark' : 'light' });
    await visitor.page.setViewportSize({ width: pictureWidth, height: pictureHeight });
    await visitor.open(paths[picture]);
    if (picture === 'rules') await tryDraft(visitor);
    const path = join(picturesFolder, `${picture}.png`);
    await visitor.page.screenshot({ path, animations: 'disabled' });
    const { size } = statSync(path);
    if (size > mostPictureBytes) throw new Error(`${path} has ${size} bytes`);
  }
}

const drawnMs = 2_000;

/** Tries windows of skill and gap that are wide at once, and shows what came of it. */
async function tryDraft({ page }: Visitor): Promise<void> {
  const text = page.getByLabel('The whole document');
  const [windows = '', ...rest] = (await text.inputValue()).split('latencyLimitMs');
  const wide = windows.replaceAll(/(limit"?:) \d+(\.\d+)?/g, '$1 20');
  await text.fill([wide, ...rest].join('latencyLimitMs'));
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByRole('button', { name: 'Try again' }).waitFor({ timeout: 120_000 });
  // Its charts are drawn by a part that is loaded on demand.
  await pause(drawnMs);
  await page.evaluate(
    `[...document.querySelectorAll('h2')].find(({ textContent }) => textContent.startsWith('Try the draft')).scrollIntoView()`,
  );
}
