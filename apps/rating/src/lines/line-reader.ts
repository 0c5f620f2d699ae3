/** A line without its end, or word that one was too long: that is said once, and the rest of it is passed over. */
export type Line = { readonly text: string } | { readonly tooLong: true };

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Cuts bytes into lines that end with LF or CR LF. Between chunks it keeps no more than one unfinished line, in memory of its
 * own: a piece of a chunk would hold all of it.
 */
export class LineReader {
  private rest: Uint8Array | null = null;
  private skipping = false;

  /** @param mostBytes of a line, without its end */
  constructor(private readonly mostBytes: number) {}

  /** Whether `next` could give a line without more bytes. */
  get hasLine(): boolean {
    return (
      this.rest !== null && (this.rest.includes(lineFeed) || (!this.skipping && this.isTooLong(this.rest)))
    );
  }

  /** Bytes that are held. */
  get held(): number {
    return this.rest?.length ?? 0;
  }

  /** Takes bytes in. All lines of the bytes before should have been taken out, for those are copied together. */
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

  /** The next line; null when there is none yet, and then only the unfinished line is kept. */
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

  /** What is left when no more bytes come: the last line may lack its end. */
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

  /** One byte more may be the CR of the line's end. */
  private isTooLong(unfinished: Uint8Array): boolean {
    return unfinished.length > this.mostBytes + 1;
  }

  private lineOf(bytes: Uint8Array): Line {
    const length = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
    return length > this.mostBytes
      ? { tooLong: true }
      : { text: Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('utf8') };
  }
}
