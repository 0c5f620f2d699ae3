/** The options that parts share. */
export interface ScaleSettings {
  /** Numbers of matches. */
  readonly matches: readonly number[];
  /** Numbers of servers. */
  readonly servers: readonly number[];
  /** Measured calls of each kind. */
  readonly rounds: number;
  /** The folder for plots, if any. */
  readonly plots?: string | undefined;
}

/** What a part found. */
export interface PartReport {
  /** Markdown. */
  readonly text: string;
  /** Properties of the line of JSON. */
  readonly json: Readonly<Record<string, readonly object[]>>;
}

/** One dimension in which an installation grows. A part is a file; `main.ts` lists them. */
export interface Part {
  readonly name: string;
  /** For the help. */
  readonly about: string;
  measure(settings: ScaleSettings, say: (text: string) => void): Promise<PartReport>;
}
