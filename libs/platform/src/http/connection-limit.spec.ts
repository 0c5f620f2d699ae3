import { describe, expect, it } from 'vitest';
import { limitConnections, mostConnections } from './connection-limit.js';

const limits = (files: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             94175                94175                processes
Max open files            ${files.padEnd(20)} 524288               files
Max locked memory         8388608              8388608              bytes
`;

describe('the number of connections', () => {
  it('leaves files for stores and logs', () => {
    expect(mostConnections(limits('20000'))).toBe(19_488);
    expect(mostConnections(limits('1024'))).toBe(768);
    expect(mostConnections(limits('1'))).toBe(1);
  });

  it('is half where each connection is passed on', () => {
    expect(mostConnections(limits('20000'), 2)).toBe(9_744);
  });

  it('has no limit where files have none, or it is not known', () => {
    expect(mostConnections(limits('unlimited'))).toBeNull();
    expect(mostConnections('')).toBeNull();
    const server = { maxConnections: 7 };
    limitConnections(server);
    expect(server.maxConnections).toBeGreaterThan(7);
  });
});
