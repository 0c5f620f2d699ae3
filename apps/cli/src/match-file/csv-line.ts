import { BrokenRow } from './broken-row.js';

/**
 * Splits one line of CSV into its fields, after RFC 4180 but for one thing: a field may not run on into the next line.
 * A match is one line, so a quote that is never closed costs its own line and not the rest of the file, which a
 * reader of multi-line fields would swallow up to the next quote.
 *
 * @throws BrokenRow when a quote stands where it must not
 */
export function splitCsvLine(line: string): string[] {
  const fields: string[] = [];
  for (let start = 0; ;) {
    const { field, end } = line[start] === '"' ? quoted(line, start) : plain(line, start);
    fields.push(field);
    if (end === line.length) return fields;
    if (line[end] !== ',') throw new BrokenRow(`field ${fields.length} goes on after its closing quote`);
    start = end + 1;
  }
}

interface Field {
  readonly field: string;
  /** The place after the field: a comma, or the end of the line. */
  readonly end: number;
}

function plain(line: string, start: number): Field {
  const comma = line.indexOf(',', start);
  const end = comma === -1 ? line.length : comma;
  const field = line.slice(start, end);
  if (field.includes('"')) throw new BrokenRow('a quote stands inside a field that is not quoted');
  return { field, end };
}

function quoted(line: string, start: number): Field {
  for (let from = start + 1; ;) {
    const quote = line.indexOf('"', from);
    if (quote === -1) throw new BrokenRow('a quoted field does not end on its line');
    // Two quotes are one that belongs to the text.
    if (line[quote + 1] === '"') {
      from = quote + 2;
      continue;
    }
    return { field: line.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 };
  }
}
