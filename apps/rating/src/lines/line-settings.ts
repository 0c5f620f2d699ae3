/** What the line protocol allows. */
export interface LineSettings {
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Longest line, in bytes without its end. */
  readonly maxLineBytes: number;
  /** Lines of one connection that are read within a second; as many may come at once. */
  readonly linesPerSecond: number;
  /** A connection that sends no whole line for so long is closed. */
  readonly idleMs: number;
  readonly maxConnections: number;
  readonly maxPerAddress: number;
}
