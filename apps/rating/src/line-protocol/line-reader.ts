/** A line without its end, or a marker for a line over the maximum: reported once, the rest is skipped. */
export type Line = { readonly text: string } | { readonly tooLong: true };

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Splits bytes into lines that end with LF or CRLF. Between chunks it keeps only the unfinished line, as a copy: a
 * slice would retain the whole chunk.
 */
export class LineReader {
  private rest: Uint8Array | null = null;
  private skipping = false;

  /** @param mostBytes the maximum length of a line, without its end */
  constructor(private readonly maxBytes: number) {}

  /** Whether `next` could return a line without more bytes. */
  get hasLine(): boolean {
    return (
      this.rest !== null && (this.rest.includes(lineFeed) || (!this.skipping && this.isTooLong(this.rest)))
    );
  }

  /** The number of buffered bytes. */
  get bufferedBytes(): number {
    return this.rest?.length ?? 0;
  }

  /** Appends bytes. Take all complete lines first: the unread rest is copied. */
  push(chunk: Uint8Array): void {
    if (this.rest === null) {
      this.rest = chunk;
      return;
    }
    const joined = new Uint8Array(this.rest.length + chunk.length);
    joined.set(this.rest);
    joined.set(chunk, this.rest.length);
    this.rest = joined;
  }

  /** The next line, or null if it is incomplete; then only the unfinished line is kept. */
  next(): Line | null {
    while (this.rest !== null) {
      const end = this.rest.indexOf(lineFeed);
      if (end < 0) return this.unfinished(this.rest);
      const line = this.rest.subarray(0, end);
      this.rest = end + 1 < this.rest.length ? this.rest.subarray(end + 1) : null;
      if (this.skipping) {
        this.skipping = false;
        continue;
      }
      return this.lineOf(line);
    }
    return null;
  }

  /** The last line after the end of input, which may lack its line end. */
  last(): Line | null {
    const { rest, skipping } = this;
    this.rest = null;
    this.skipping = false;
    return rest === null || skipping ? null : this.lineOf(rest);
  }

  private unfinished(rest: Uint8Array): Line | null {
    if (!this.skipping && !this.isTooLong(rest)) {
      this.rest = rest.byteLength === rest.buffer.byteLength ? rest : Uint8Array.from(rest);
      return null;
    }
    this.rest = null;
    if (this.skipping) return null;
    this.skipping = true;
    return { tooLong: true };
  }

  /** One more byte may be the CR of the line end. */
  private isTooLong(unfinished: Uint8Array): boolean {
    return unfinished.length > this.maxBytes + 1;
  }

  private lineOf(bytes: Uint8Array): Line {
    const length = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
    return length > this.maxBytes
      ? { tooLong: true }
      : { text: Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('utf8') };
  }
}
