/** Options of an embedded store. */
export interface EmbeddedOptions {
  /** Created if missing. The same directory has the same data again. */
  dataDir: string;
  /** A free TCP port of the loopback. */
  port: number;
  /** Receives messages during preparation. */
  log: (line: string) => void;
}
