/** Limits of the line protocol. */
export interface LineSettings {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** The maximum length of a line, in bytes without its end. */
  readonly maxLineBytes: number;
  /** The rate of lines per connection and second; also the maximum burst. */
  readonly linesPerSecond: number;
  /** A connection without a complete line for this time is closed. */
  readonly idleMs: number;
  readonly maxConnections: number;
  readonly maxPerAddress: number;
}
