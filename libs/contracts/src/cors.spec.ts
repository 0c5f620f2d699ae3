import { describe, expect, it } from 'vitest';
import { CorsOrigins, corsOptions } from './cors.js';

describe('the origins whose pages may call', () => {
  it('are none by default', () => {
    expect(CorsOrigins.parse(undefined)).toEqual([]);
    expect(corsOptions([])).toBeNull();
  });

  it.each([
    ['https://play.example', ['https://play.example']],
    [' https://play.example , http://localhost:5173,', ['https://play.example', 'http://localhost:5173']],
    ['capacitor://localhost', ['capacitor://localhost']],
    ['*', ['*']],
  ])('are read from %j', (text, origins) => {
    expect(CorsOrigins.parse(text)).toEqual(origins);
  });

  it.each(['play.example', 'https://play.example/', 'https://play.example/game', 'all'])(
    'are no origin: %s',
    (text) => {
      expect(CorsOrigins.safeParse(text).error?.issues[0]?.message).toContain(`not ${text}`);
    },
  );

  it('may be any, and never with credentials', () => {
    expect(corsOptions(['https://play.example', '*'])).toMatchObject({ origin: '*' });
    expect(corsOptions(['*'])).not.toHaveProperty('credentials');
  });
});
