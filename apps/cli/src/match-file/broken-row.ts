/** A row of a match file that cannot be reported. The message is the reason, for people, without the line number. */
export class BrokenRow extends Error {}

/** A row that was not counted, and why. */
export interface RefusedRow {
  /** Where the row stands in its file; the header is line 1. */
  readonly line: number;
  readonly reason: string;
}

const longest = 60;

/** Text out of a file, fit to stand in a message: quoted, on one line, and not without end. */
export function quote(text: string): string {
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text);
}
