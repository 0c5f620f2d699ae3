import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mostPictureBytes, pictures, picturesFolder, pictureWidth } from '../browser/picture-names.js';
import { readPage } from './pages.js';

/** Where a PNG has its width. */
const widthAt = 16;

describe('pictures of the dashboard', () => {
  it.each(pictures)('%s is one, is small, and a page shows it', (picture) => {
    const png = readFileSync(join(picturesFolder, `${picture}.png`));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(widthAt)).toBe(pictureWidth);
    expect(png.length).toBeLessThanOrEqual(mostPictureBytes);
    expect(readPage('docs/dashboard.md')).toContain(`](images/${picture}.png)`);
  });

  it('the README shows the overview', () => {
    expect(readPage('README.md')).toContain(`](${picturesFolder}/overview.png)`);
  });
});
