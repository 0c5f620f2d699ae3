import { BrokenRow } from './broken-row.js';

/**
 * Splits one line of CSV into its fields, by RFC 4180 except that a field may not continue on the next line. A match is
 * one line, so an unclosed quote invalidates its own line only, instead of all text up to the next quote.
 *
 * @throws BrokenRow for a misplaced quote
 */
export function splitCsvLine(line: string): string[] {
  const fields: string[] = [];
  for (let start = 0; ;) {
    const { field, end } = line[start] === '"' ? quoted(line, start) : plain(line, start);
    fields.push(field);
    if (end === line.length) return fields;
    if (line[end] !== ',') throw new BrokenRow(`field ${fields.length} continues after its closing quote`);
    start = end + 1;
  }
}

interface Field {
  readonly field: string;
  /** The position after the field: a comma or the end of the line. */
  readonly end: number;
}

function plain(line: string, start: number): Field {
  const comma = line.indexOf(',', start);
  const end = comma === -1 ? line.length : comma;
  const field = line.slice(start, end);
  if (field.includes('"')) throw new BrokenRow('a quote is inside an unquoted field');
  return { field, end };
}

function quoted(line: string, start: number): Field {
  for (let from = start + 1; ;) {
    const quote = line.indexOf('"', from);
    if (quote === -1) throw new BrokenRow('a quoted field does not end on its line');
    // Two quotes are an escaped quote.
    if (line[quote + 1] === '"') {
      from = quote + 2;
      continue;
    }
    return { field: line.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 };
  }
}
