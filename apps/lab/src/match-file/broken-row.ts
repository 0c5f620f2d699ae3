/** A row of a match file that cannot be reported. The message is the reason without the line number. */
export class BrokenRow extends Error {}

/** A rejected row and the reason. */
export interface RefusedRow {
  /** The line in the file; the header is line 1. */
  readonly line: number;
  readonly reason: string;
}

const longest = 60;

/** Text of a file for a message: quoted, on one line, shortened. */
export function quote(text: string): string {
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text);
}
