/** What an embedded store needs to be told. */
export interface EmbeddedOptions {
  /** Made when missing. The same directory finds the same data again. */
  dataDir: string;
  /** A free TCP port of the loopback. */
  port: number;
  /** Told what a person may want to know while it is prepared. */
  log: (line: string) => void;
}
