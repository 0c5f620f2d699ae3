/** Tells what happens: sentences for people on standard output, or with `--json` one JSON object a line. */
export class Teller {
  /** Whether text may be coloured. */
  readonly colour: boolean;

  constructor(
    private readonly json: boolean,
    private readonly out: NodeJS.WriteStream = process.stdout,
  ) {
    this.colour = !json && out.isTTY && process.env['NO_COLOR'] === undefined;
  }

  /** A step of the set-up, or a notice. */
  say(text: string, facts: Readonly<Record<string, unknown>> = {}): void {
    if (this.json) this.line({ event: 'notice', text, ...facts });
    else this.out.write(`${text}\n`);
  }

  ready(text: string, facts: Readonly<Record<string, unknown>>): void {
    if (this.json) this.line({ event: 'ready', ...facts });
    else this.out.write(`${text}\n`);
  }

  /** A line of the demo: `line` for programs and `text` for people; null where it is for the others alone. */
  pass({ line, text }: { readonly line: object | null; readonly text: string | null }): void {
    if (this.json) {
      if (line !== null) this.line(line);
    } else if (text !== null) this.out.write(`${text}\n`);
  }

  /** A line of JSON, as the last one always is. */
  line(value: object): void {
    this.out.write(`${JSON.stringify(value)}\n`);
  }
}
