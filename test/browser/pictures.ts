import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pictures, picturesFolder, mostPictureBytes } from './picture-names.js';
import { names, type Ids } from './stage.js';
import type { Visitor } from './visitor.js';

/** Where each picture is taken. */
const pathsOf = (ids: Ids): Readonly<Record<(typeof pictures)[number], string>> => ({
  overview: '/',
  'overview-dark': '/',
  queue: '/queues/5v5',
  match: `/matches/${ids.demoMatch}`,
  player: `/players/${ids.demoPlayer}`,
  fleet: '/fleet',
  rules: `/queues/${names.queue}/rules`,
});

/** Takes the pictures of the documents anew. */
export async function takePictures(visitor: Visitor, ids: Ids): Promise<void> {
  mkdirSync(picturesFolder, { recursive: true });
  const paths = pathsOf(ids);
  for (const picture of pictures) {
    await visitor.look({ width: 1_440, scheme: picture.endsWith('-dark') ? 'dark' : 'light' });
    await visitor.open(paths[picture]);
    const path = join(picturesFolder, `${picture}.png`);
    await visitor.page.screenshot({ path, animations: 'disabled' });
    const { size } = statSync(path);
    if (size > mostPictureBytes) throw new Error(`${path} has ${size} bytes`);
  }
}
