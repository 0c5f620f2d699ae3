// Migrations as statements, read with PostgreSQL's own parser.
import { loadModule, parsePlPgSQLSync, parseSync } from 'libpg-query';

await loadModule();

/** Comments that a rule may ask for, each with a reason. */
const noteKinds = ['contract', 'compatible'];
/** A reason has at least this many words. */
export const reasonWords = 4;

/** Commands of PL/pgSQL whose text exists only when they run. */
const dynamic = ['PLpgSQL_stmt_dynexecute', 'PLpgSQL_stmt_dynfors'];

/** How PL/pgSQL marks a text that is a statement: of its own, of a loop, of PERFORM or of a cursor. */
const wholeStatement = 0;

/** @param {{ String?: { sval: string } }[]} names of an object, such as `public.match` @returns its last name */
export const lastName = (names) => names.at(-1)?.String?.sval ?? '';

/** Every value of an object and of all below it. */
export function* valuesIn(value) {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    yield [key, each];
    yield* valuesIn(each);
  }
}

/**
 * The statements of a migration. A DO block becomes the statements of its body, with the comments of the block; those
 * that it puts together at run time have the kind `dynamic`.
 *
 * @param {string} sql
 * @returns {{ kind: string, node: object, line: number, notes: Map<string, string> }[]}
 * @throws Error that names the line, for text that PostgreSQL would refuse
 */
export function statementsOf(sql) {
  const bytes = Buffer.from(sql);
  let end = 0;
  return parsed(sql).flatMap(({ stmt, stmt_location: at = 0, stmt_len: length = bytes.length - at }) => {
    const above = bytes.subarray(end, at).toString();
    end = at + length;
    const line = bytes.subarray(0, at).toString().split('\n').length;
    const [[kind, node]] = Object.entries(stmt);
    const found = { line, notes: notesOf(above) };
    return kind === 'DoStmt'
      ? inBlock(bytes.subarray(at, end).toString(), found)
      : [{ kind, node, ...found }];
  });
}

/** The comments with a reason among those above a statement: `-- contract: …`, over one or more lines. */
function notesOf(above) {
  const notes = new Map();
  let open = null;
  for (const [, text] of above.matchAll(/^\s*--\s?(.*)$/gm)) {
    const [, kind, reason] = /^(\w+):\s*(.*)$/.exec(text) ?? [];
    if (noteKinds.includes(kind)) notes.set((open = kind), reason);
    else if (open !== null) notes.set(open, `${notes.get(open)} ${text}`.trim());
  }
  return notes;
}

function inBlock(text, found) {
  const { plpgsql_funcs: blocks } = parsePlPgSQLSync(text);
  const statements = [];
  for (const [key, value] of valuesIn(blocks)) {
    if (dynamic.includes(key)) statements.push({ kind: 'dynamic', node: {}, ...found });
    // Others are values, such as `i + 1`.
    if (key !== 'PLpgSQL_expr' || value.parseMode !== wholeStatement) continue;
    for (const { stmt } of parsed(value.query)) {
      const [[kind, node]] = Object.entries(stmt);
      statements.push({ kind, node, ...found });
    }
  }
  return statements;
}

function parsed(sql) {
  try {
    return parseSync(sql).stmts ?? [];
  } catch (error) {
    const { message = String(error), cursorPosition } = error.sqlDetails ?? error;
    const line = cursorPosition === undefined ? null : sql.slice(0, cursorPosition).split('\n').length;
    throw new Error(line === null ? message : `line ${line}: ${message}`, { cause: error });
  }
}
