import { describe, expect, it } from 'vitest';
import { lineSettings, readLineSettings } from './line-settings.js';

describe('settings of the line protocol', () => {
  it('disable it without a port', () => {
    expect(readLineSettings(lineSettings.parse({}))).toBeNull();
    expect(readLineSettings(lineSettings.parse({ TCP_MAX_CONNECTIONS: '5' }))).toBeNull();
  });

  it('have defaults, and listen on the loopback interface', () => {
    expect(readLineSettings(lineSettings.parse({ TCP_PORT: '9310' }))).toEqual({
      host: '127.0.0.1',
      port: 9310,
      maxLineBytes: 512,
      linesPerSecond: 100,
      idleMs: 3_600_000,
      maxConnections: 10_000,
      maxPerAddress: 100,
    });
  });

  it.each([
    ['TCP_PORT', '70000'],
    ['TCP_MAX_LINE_BYTES', '10'],
    ['TCP_LINES_PER_SECOND', '0'],
    ['TCP_IDLE_SECONDS', '0.5'],
    ['TCP_MAX_CONNECTIONS', 'many'],
    ['TCP_MAX_PER_ADDRESS', '-1'],
  ])('refuse %s=%s', (name, value) => {
    expect(lineSettings.safeParse({ TCP_PORT: '1', [name]: value }).success).toBe(false);
  });
});
