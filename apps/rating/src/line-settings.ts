import { z } from 'zod';

const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** Settings of the line protocol (docs/line-protocol.md). */
export const lineSettings = z.object({
  /**
   * The protocol has no authentication: any client that reaches the port may read weights. Expose it only to game
   * servers.
   */
  TCP_HOST: z.string().default('127.0.0.1'),
  /** Port of the line protocol; unset, the protocol is off. 0 selects a free port. */
  TCP_PORT: whole(0, 65_535).optional(),
  /** Longest line in bytes, without its end. A longer line gets an ERROR and is skipped. */
  TCP_MAX_LINE_BYTES: whole(80, 8_192).default(512),
  /** Lines per second and connection; also the maximum burst. Excess lines wait. */
  TCP_LINES_PER_SECOND: whole(1, 1_000_000).default(100),
  /** A connection without a complete line for this time is closed. The default is longer than most matches. */
  TCP_IDLE_SECONDS: whole(1, 604_800).default(3_600),
  /** Maximum number of connections of a process; further ones get an ERROR and are closed. */
  TCP_MAX_CONNECTIONS: whole(1, 100_000).default(10_000),
  /**
   * Maximum number of connections from one address: a machine runs some dozens of game servers, each with one
   * connection.
   */
  TCP_MAX_PER_ADDRESS: whole(1, 100_000).default(100),
});

/** The limits of the line protocol, without the prefix of their names and in milliseconds. */
export type LineSettings = NonNullable<ReturnType<typeof readLineSettings>>;

/** @returns null if the protocol is off */
export function readLineSettings(settings: z.infer<typeof lineSettings>) {
  if (settings.TCP_PORT === undefined) return null;
  return {
    host: settings.TCP_HOST,
    port: settings.TCP_PORT,
    maxLineBytes: settings.TCP_MAX_LINE_BYTES,
    linesPerSecond: settings.TCP_LINES_PER_SECOND,
    idleMs: settings.TCP_IDLE_SECONDS * 1000,
    maxConnections: settings.TCP_MAX_CONNECTIONS,
    maxPerAddress: settings.TCP_MAX_PER_ADDRESS,
  };
}
