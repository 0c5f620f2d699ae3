import { own, type MessageValue } from '@muster/domain';

/**
 * Templates of messages, in the subset of ICU MessageFormat that the catalogue uses, with two additional formats:
 *
 * - `{x}` the value; of a list its items, with commas; of a message its text
 * - `{x, number}` with thousands separators; `{x, number, ::.00}` with that many decimals; `{x, number, ::@@}` with two
 *   significant digits
 * - `{x, plural, one {# player} other {# players}}`, `selectordinal` and `select`, with `=1` for a number and `null` for
 *   null
 * - `{x, team}` a team's name, or `Team 2` for the team of index 1; `{x, team, number}` its number alone
 * - `{x, list, to}` the items with ` to ` between them, `{x, list, ;}` with semicolons; a number format may follow
 *
 * Implemented here, since ICU libraries are ten times the size of the published client, and support neither teams nor
 * nested messages.
 */
export type Template = readonly Piece[];

type Piece = string | Place | Choice;

interface Place {
  readonly name: string;
  readonly format: 'plain' | 'number' | 'team' | 'list';
  /** Of a number its decimals or digits, of a list the separator. */
  readonly style: string;
  /** Of a list, the format of its numbers. */
  readonly each: string;
}

interface Choice {
  readonly name: string;
  readonly by: 'plural' | 'selectordinal' | 'select';
  readonly branches: ReadonlyMap<string, Template>;
}

export type Values = Readonly<Record<string, MessageValue>>;

const formats: readonly string[] = ['plain', 'number', 'team', 'list'] satisfies Place['format'][];
const choices: readonly string[] = ['plural', 'selectordinal', 'select'] satisfies Choice['by'][];
const isFormat = (text: string): text is Place['format'] => formats.includes(text);
const isChoice = (text: string): text is Choice['by'] => choices.includes(text);

/** @throws Error when the text is no valid template */
export function parseTemplate(text: string): Template {
  const { pieces, end } = parseUntil(text, 0, false);
  if (end < text.length) throw new Error(`"${text}" closes a brace that is not open at ${end}`);
  return pieces;
}

/** Parses up to the brace that closes this part, or the end of the text. */
function parseUntil(text: string, start: number, inside: boolean): { pieces: Piece[]; end: number } {
  const pieces: Piece[] = [];
  let at = start;
  while (at < text.length && text[at] !== '}') {
    if (text[at] === '{') {
      const { piece, end } = parsePlace(text, at + 1);
      pieces.push(piece);
      at = end;
    } else if (inside && text[at] === '#') {
      pieces.push('#');
      at += 1;
    } else {
      const next = text.slice(at).search(inside ? /[{}#]/ : /[{}]/);
      const end = next === -1 ? text.length : at + next;
      pieces.push(text.slice(at, end));
      at = end;
    }
  }
  return { pieces, end: at };
}

function parsePlace(text: string, start: number): { piece: Place | Choice; end: number } {
  const head = /^\s*(\w+)\s*(?:,\s*(\w+)\s*(,)?\s*)?/.exec(text.slice(start));
  if (!head) throw new Error(`"${text}" has no name at ${start}`);
  const [whole, name = '', format = 'plain', more] = head;
  let at = start + whole.length;
  if (isChoice(format)) {
    const branches = new Map<string, Template>();
    for (;;) {
      const key = /^\s*(=?[\w-]+)\s*\{/.exec(text.slice(at));
      if (!key) break;
      const { pieces, end } = parseUntil(text, at + key[0].length, true);
      branches.set(key[1] ?? '', pieces);
      at = end + 1;
    }
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    if (text[at] !== '}' || !branches.has('other'))
      throw new Error(`"${text}" has a choice at ${start} that does not end, or has no "other"`);
    return { piece: { name, by: format, branches }, end: at + 1 };
  }
  const end = text.indexOf('}', at);
  if (!isFormat(format) || end === -1) throw new Error(`"${text}" has no such format at ${start}: ${format}`);
  const [style = '', each = ''] = more
    ? text
        .slice(at, end)
        .split(',')
        .map((part) => part.trim())
    : [];
  return { piece: { name, format, style, each }, end: end + 1 };
}

/** The names of the parameters that a template needs, without duplicates. */
export function namesIn(template: Template): string[] {
  const names = template.flatMap((piece) => {
    if (typeof piece === 'string') return [];
    return 'branches' in piece
      ? [piece.name, ...[...piece.branches.values()].flatMap((branch) => namesIn(branch))]
      : [piece.name];
  });
  return [...new Set(names)];
}

const plurals = {
  plural: new Intl.PluralRules('en'),
  selectordinal: new Intl.PluralRules('en', { type: 'ordinal' }),
};

/** @param nested renders a message that is a parameter @param count what `#` stands for */
export function render(
  template: Template,
  values: Values,
  nested: (message: object) => string,
  count: MessageValue = null,
): string {
  let text = '';
  for (const piece of template) {
    if (piece === '#') text += shownAs(count, '');
    else if (typeof piece === 'string') text += piece;
    else if ('branches' in piece) {
      const value = own(values, piece.name) ?? null;
      text += render(branchOf(piece, value), values, nested, piece.by === 'select' ? count : value);
    } else text += placed(piece, own(values, piece.name) ?? null, nested);
  }
  return text;
}

/** The branch of a value. Text that reads `null` is not null. */
function keyOf(value: MessageValue): string {
  if (typeof value === 'number') return `=${value}`;
  return value === 'null' ? 'other' : String(value);
}

function branchOf({ by, branches }: Choice, value: MessageValue): Template {
  const exact = branches.get(keyOf(value));
  const found =
    exact ??
    (by === 'select' || typeof value !== 'number' ? undefined : branches.get(plurals[by].select(value)));
  return found ?? branches.get('other') ?? [];
}

function placed(
  { format, style, each }: Place,
  value: MessageValue,
  nested: (message: object) => string,
): string {
  switch (format) {
    case 'team':
      if (typeof value !== 'number') return String(value);
      return style === 'number' ? String(value + 1) : `Team ${value + 1}`;
    case 'number':
      return shownAs(value, style || '::,');
    case 'list':
      return itemsOf(value, each, nested).join(/\w/.test(style) ? ` ${style} ` : `${style} `);
    case 'plain':
      return itemsOf(value, '', nested).join(', ');
  }
}

function itemsOf(value: MessageValue, each: string, nested: (message: object) => string): string[] {
  const items: readonly MessageValue[] = isList(value) ? value : [value];
  return items.map((item) =>
    item !== null && typeof item === 'object' ? nested(item) : shownAs(item, each),
  );
}

const isList = (value: MessageValue): value is readonly string[] => Array.isArray(value);

/** Decimals or digits of a number; a number that is not 0 never reads as 0. */
function shownAs(value: MessageValue, style: string): string {
  if (typeof value !== 'number' || style === '') return String(value);
  if (style === '::,') return value.toLocaleString('en');
  if (style === '::@@') return value.toPrecision(2);
  const text = value.toFixed(style.length - '::.'.length);
  return Number(text) === 0 && value !== 0 ? value.toPrecision(1) : text;
}
