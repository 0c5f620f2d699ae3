import { z } from 'zod';
import type { Visitor } from './visitor.js';

const Read = z.object({
  text: z.string(),
  paths: z.array(z.string()),
  tables: z.array(
    z.object({ caption: z.string(), rowCount: z.number(), rows: z.array(z.record(z.string(), z.string())) }),
  ),
});

const read = `(() => {
  const main = document.querySelector('main');
  const words = (element) => (element?.innerText ?? '').trim();
  return {
    text: main.innerText,
    paths: [...main.querySelectorAll('a[href]')].map(({ pathname }) => decodeURIComponent(pathname).replace('/dashboard', '')),
    tables: [...main.querySelectorAll('table')].map((table) => {
      const heads = [...table.querySelectorAll('th')].map((each) => words(each).replace(/ [↓↑]$/, ''));
      const rows = [...table.querySelectorAll('tbody tr:not([aria-hidden])')];
      return {
        caption: (table.querySelector('caption')?.textContent ?? '').trim(),
        rowCount: Number(table.getAttribute('aria-rowcount') ?? rows.length + 1) - 1,
        rows: rows.map((row) => Object.fromEntries([...row.cells].map((cell, i) => [heads[i] ?? '', words(cell)]))),
      };
    }),
  };
})()`;

/** What a page shows, as a person reads it. */
export class Shown {
  private constructor(
    readonly text: string,
    private readonly paths: readonly string[],
    private readonly tables: z.infer<typeof Read>['tables'],
  ) {}

  static async by({ page }: Visitor): Promise<Shown> {
    const { text, paths, tables } = Read.parse(await page.evaluate(read));
    return new Shown(text, paths, tables);
  }

  /** Which of these pages it does not link to. */
  lacksLinks(paths: readonly string[]): string[] {
    return paths.filter((path) => !this.paths.includes(path)).map((path) => `no link leads to ${path}`);
  }

  /** Which of these words it does not say. */
  lacksWords(words: readonly string[]): string[] {
    return words.filter((each) => !this.text.includes(each)).map((each) => `it does not say “${each}”`);
  }

  /** Whether a figure has this value, or one of these. @param values what may stand under its label */
  wrongFigure(label: string, ...values: readonly string[]): string[] {
    const lines = this.text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    const shown = lines.filter((_, i) => lines[i - 1] === label);
    return shown.some((line) => values.some((value) => line === value || line.startsWith(`${value} `)))
      ? []
      : [`“${label}” is ${shown.join(', ') || 'not there'}, not ${values.join(' or ')}`];
  }

  /** Rows of a table by its caption: what each has under the heads. */
  rows(caption: string): readonly Readonly<Record<string, string>>[] {
    return this.table(caption)?.rows ?? [];
  }

  /** Whether a table has so many rows. Of a long one, those are drawn that one looks at. */
  wrongCount(caption: string, count: number): string[] {
    const { rowCount } = this.table(caption) ?? { rowCount: 0 };
    return rowCount === count ? [] : [`the table “${caption}” has ${rowCount} rows, not ${count}`];
  }

  private table(caption: string): z.infer<typeof Read>['tables'][number] | undefined {
    return this.tables.find((each) => each.caption.startsWith(caption));
  }
}
