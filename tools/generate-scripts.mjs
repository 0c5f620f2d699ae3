// Compiles the Lua scripts of packages, `lua/**/*.lua`, into their `src/generated/scripts.ts`: one typed function per script. The
// header of each script declares its arguments (`--@arg name type description`), its result and its includes; KEYS[1] is always
// the root of the keys. CONTRIBUTING.md describes the headers.
//
//   node tools/generate-scripts.mjs               of every package
//   node tools/generate-scripts.mjs apps/queue    of one
//
// `--@include name` is lua/include/name.lua of the package; `--@include app/name` that of another app, whose keys it knows.
// A script that includes a function `end_call` ends with it, also when it fails.
//
// The body of a script with `--@many` handles one item, and a call may carry many: their arguments follow one another, and
// the answer has for each item the number of its values and the values, or -1 and an error. `--@many name` counts an item
// as many times as that list has entries.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ticketFields } from '../apps/queue/ticket-fields.mjs';
import { checkout } from './prepare/checkout.mjs';
import { packagesOf } from './prepare/programs.mjs';

const types = { string: 'string', number: 'number', json: 'readonly string[]' };
const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** Replaces `field.state` by the stored name: a constant costs nothing at run time. */
function named(source, file) {
  return source.replace(/\bfield\.(\w+)/g, (_, name) => {
    if (!(name in ticketFields))
      throw new Error(`${file}: a ticket has no field ${name}, see ticket-fields.mjs`);
    return `'${ticketFields[name]}'`;
  });
}

/** Reads a script with its header. */
function scriptIn(folder, file) {
  const source = readFileSync(join(folder, 'lua', file), 'utf8');
  const lines = source.split('\n');
  const saying = (start) => lines.filter((l) => l.startsWith(start)).map((l) => l.slice(start.length).trim());
  const args = saying('--@arg ').map((line) => {
    const [name, type, ...words] = line.split(' ');
    if (!(type in types)) throw new Error(`${file}: argument ${name} has the unknown type ${type}`);
    return { name, type, words: words.join(' ') };
  });
  const script = {
    file,
    name: camel(basename(file, '.lua')),
    summary: saying('--- ').join(' '),
    returns: saying('--@returns ')[0],
    many: saying('--@many')[0],
    args,
    includes: saying('--@include ').map((name) => included(folder, name)),
    body: lines
      .filter((l) => !l.startsWith('--'))
      .join('\n')
      .trim(),
  };
  requireHeader(script, source);
  return script;
}

function requireHeader({ file, summary, returns, many, args }, source) {
  if (many && !args.some((a) => a.name === many && a.type === 'json'))
    throw new Error(`${file}: @many names ${many}, which is not a list among the arguments`);
  if (!summary || !returns) throw new Error(`${file}: the head must have a summary (---) and --@returns`);
  const used = new Set([...source.matchAll(/\barg\.(\w+)/g)].map((m) => m[1]));
  for (const { name } of args)
    if (!used.delete(name)) throw new Error(`${file}: argument ${name} is never used`);
  if (used.size > 0) throw new Error(`${file}: uses undeclared arguments ${[...used].join(', ')}`);
}

function included(folder, name) {
  const [app, own] = name.includes('/') ? name.split('/') : [null, name];
  return readFileSync(
    join(app ? join(checkout, 'apps', app) : folder, `lua/include/${own}.lua`),
    'utf8',
  ).trim();
}

/** The text that Redis runs. */
function luaOf({ file, many, args, includes, body }) {
  const table = (first) => `{ ${args.map((a, i) => `${a.name} = ARGV[${first(i)}]`).join(', ')} }`;
  const ends = includes.some((text) => text.includes('function end_call()')) ? ['end_call()'] : [];
  const one = [...includes, `local function one(arg)\n${body}\nend`];
  const parts =
    many === undefined
      ? [
          ...one,
          `local ok, answer = pcall(one, ${table((i) => i + 1)})`,
          ...ends,
          "if not ok then return type(answer) == 'table' and answer or { err = 'ERR ' .. tostring(answer) } end",
          'return answer',
        ]
      : [
          ...one,
          included(join(checkout, 'apps/queue'), 'many'),
          'local answers, failure = {}, nil',
          `for at = 1, #ARGV, ${args.length} do`,
          `  failure = add_answer(answers, pcall(one, ${table((i) => (i === 0 ? 'at' : `at + ${i}`))}))`,
          '  if failure then break end',
          'end',
          ...ends,
          'return failure or answers',
        ];
  return named(`${parts.join('\n')}\n`, file);
}

/**
 * The type of an answer: outcomes such as `cancelled | too-late, state`, each with its values, or any list of strings.
 * All outcomes have elements for the most values of any, so that they can be destructured.
 */
function answerOf(returns) {
  const outcomes = returns.split(' | ').map((each) => each.split(', '));
  const isList = returns.includes(', then ') || !outcomes.every(([name]) => /^[a-z-]+$/.test(name));
  if (isList || outcomes.length < 2) return 'string[]';
  const most = Math.max(...outcomes.map((each) => each.length));
  const typeOf = ([name, ...values]) => {
    const absent = Array.from({ length: most - 1 - values.length }, () => 'undefined?');
    return `[${[`'${name}'`, ...values.map(() => 'string'), ...absent].join(', ')}]`;
  };
  return outcomes.map(typeOf).join(' | ');
}

/** The function that runs it. */
function functionOf(script) {
  const { name, many, args, summary, returns } = script;
  const lua = luaOf(script);
  const sha = createHash('sha1').update(lua).digest('hex');
  const fields = args
    .map((a) => `${a.words ? `\n  /** ${a.words} */` : ''}\n  readonly ${a.name}: ${types[a.type]};`)
    .join('');
  const written = {
    string: (arg) => arg,
    number: (arg) => `String(${arg})`,
    json: (arg) => `JSON.stringify(${arg})`,
  };
  const values = args.map((a) => written[a.type](`args.${a.name}`));
  const answer = `Promise<${answerOf(returns)}>`;
  const Type = name[0].toUpperCase() + name.slice(1);
  return `
export interface ${Type}Args {${fields}
}
const ${name}Script: Script = { name: '${name}', sha: '${sha}', ${many === undefined ? '' : 'many: true, '}lua: ${JSON.stringify(lua)} };

/**
 * ${summary}
 *
 * @returns ${returns}
 */
export function ${name}(run: ScriptRunner, args: ${Type}Args): ${answer} {
  return run(${name}Script, [${values.join(', ')}]${many ? `, args.${many}.length` : ''}) as ${answer};
}`;
}

function fieldsOfTickets() {
  const fields = Object.entries(ticketFields)
    .map(([name, stored]) => `  ${camel(name.replaceAll('_', '-'))}: '${stored}',`)
    .join('\n');
  return `/** Fields of a ticket's hash: see ticket-fields.mjs. */\nexport const ticketFields = {\n${fields}\n} as const;\n`;
}

function generate(folder) {
  const files = readdirSync(join(folder, 'lua'), { recursive: true }).filter((file) =>
    /^(?!include[\\/]).*\.lua$/.test(file),
  );
  const scripts = files.map((file) => scriptIn(folder, file));
  const functions = scripts.sort((a, b) => (basename(a.file) < basename(b.file) ? -1 : 1)).map(functionOf);
  mkdirSync(join(folder, 'src/generated'), { recursive: true });
  writeFileSync(
    join(folder, 'src/generated/scripts.ts'),
    `// Made by tools/generate-scripts.mjs from lua. Change that.\nimport type { Script, ScriptRunner } from '@muster/redis';\n\n${existsSync(join(folder, 'ticket-fields.mjs')) ? fieldsOfTickets() : ''}${functions.join('\n')}\n`,
  );
}

const [, , only] = process.argv;
const folders = only ? [only] : packagesOf(checkout);
for (const folder of folders.map((each) => join(checkout, each)))
  if (existsSync(join(folder, 'lua'))) generate(folder);
