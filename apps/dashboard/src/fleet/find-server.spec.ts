import { expect, it } from 'vitest';
import { findServer } from './find-server.js';
import type { Server } from './server-state.js';

const pages: Readonly<Record<string, { ids: string[]; next: string | null }>> = {
  '': { ids: ['a', 'b'], next: 'b' },
  b: { ids: ['c', 'd'], next: 'd' },
  d: { ids: ['e'], next: null },
};
function reading() {
  const asked: string[] = [];
  const read = (cursor: string) => {
    asked.push(cursor);
    const { ids, next } = pages[cursor] ?? { ids: [], next: null };
    return Promise.resolve({ servers: ids.map((serverId) => ({ serverId }) as Server), next });
  };
  return { asked, read };
}

it('looks at one page after the other, and remembers where the server was', async () => {
  const { asked, read } = reading();
  expect(await findServer(read, 'd')).toMatchObject({ server: { serverId: 'd' }, cursor: 'b' });
  expect(asked).toEqual(['', 'b']);
  expect(await findServer(read, 'd', 'b')).toMatchObject({ cursor: 'b' });
  expect(asked).toEqual(['', 'b', 'b']);
});

it('looks everywhere when the server has moved to another page, or is nowhere', async () => {
  const { asked, read } = reading();
  expect(await findServer(read, 'a', 'd')).toMatchObject({ cursor: '' });
  expect(asked).toEqual(['d', '']);
  expect(await findServer(read, 'x')).toBeNull();
});
