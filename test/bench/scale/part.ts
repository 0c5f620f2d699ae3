/** The options that parts share. */
export interface ScaleSettings {
  /** Numbers of matches. */
  readonly matches: readonly number[];
  /** Numbers of servers. */
  readonly servers: readonly number[];
  /** Numbers of event streams. */
  readonly streams: readonly number[];
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

/** A table in Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly (number | string)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
