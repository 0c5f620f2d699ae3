import type { LineSettings } from './line-settings.js';
import { z } from 'zod';

const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** Settings of the line protocol (docs/line-protocol.md). */
export const lineSettings = z.object({
  /** The protocol knows no keys: whoever reaches the port may read weights. Keep it where only game servers do. */
  TCP_HOST: z.string().default('127.0.0.1'),
  /** Port of the line protocol; it is off unless this is set. 0 takes any that is free. */
  TCP_PORT: whole(0, 65_535).optional(),
  /** Longest line in bytes, without its end. What is longer gets an ERROR and is passed over. */
  TCP_MAX_LINE_BYTES: whole(80, 8_192).default(512),
  /** Lines of one connection that are read within a second; as many may come at once. Faster ones wait. */
  TCP_LINES_PER_SECOND: whole(1, 1_000_000).default(100),
  /** A connection that sends no whole line for so long is closed. An hour is longer than most matches. */
  TCP_IDLE_SECONDS: whole(1, 604_800).default(3_600),
  /** Connections of one process in all; more are told so and closed. */
  TCP_MAX_CONNECTIONS: whole(1, 100_000).default(10_000),
  /** Connections from one address: a machine runs some dozens of game servers, with one each. */
  TCP_MAX_PER_ADDRESS: whole(1, 100_000).default(100),
});

/** @returns null when it is off */
export function readLineSettings(settings: z.infer<typeof lineSettings>): LineSettings | null {
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
