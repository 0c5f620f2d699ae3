// Compiles lua/*.lua into src/generated/scripts.ts: one typed function per script. The header of each script declares its
// arguments (`--@arg name type description`), its result and its includes; KEYS[1] is always the realm's root.
//
// Every script ends with `end_call` of lua/include/ticket.lua, also when it fails: it writes what tickets have together.
//
// The body of a script with `--@many` handles one item, and a call may carry many: their arguments follow one another, and
// the answer has for each item the number of its values and the values, or -1 and an error. `--@many name` counts an item
// as many times as that list has entries.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ticketFields } from './ticket-fields.mjs';

const here = new URL('.', import.meta.url);
const read = (path) => readFileSync(new URL(path, here), 'utf8');
const types = { string: 'string', number: 'number', json: 'readonly string[]' };
const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
/** Replaces `field.state` by the stored name: a constant costs nothing at run time. */
const named = (source, file) =>
  source.replace(/\bfield\.(\w+)/g, (_, name) => {
    if (!(name in ticketFields))
      throw new Error(`${file}: a ticket has no field ${name}, see ticket-fields.mjs`);
    return `'${ticketFields[name]}'`;
  });
const blocks = [];

for (const file of readdirSync(new URL('lua/', here))
  .filter((f) => f.endsWith('.lua'))
  .sort()) {
  const source = read(`lua/${file}`);
  const name = camel(file.replace('.lua', ''));
  const lines = source.split('\n');
  const summary = lines
    .filter((l) => l.startsWith('--- '))
    .map((l) => l.slice(4))
    .join(' ');
  const returns = lines.find((l) => l.startsWith('--@returns '))?.slice(11);
  const includes = lines.filter((l) => l.startsWith('--@include ')).map((l) => l.slice(11).trim());
  const args = lines
    .filter((l) => l.startsWith('--@arg '))
    .map((l) => {
      const [argName, type, ...words] = l.slice(7).split(' ');
      if (!(type in types)) throw new Error(`${file}: argument ${argName} has the unknown type ${type}`);
      return { name: argName, type, words: words.join(' ') };
    });
  const many = lines
    .find((l) => /^--@many\b/.test(l))
    ?.slice(8)
    .trim();
  if (many && !args.some((a) => a.name === many && a.type === 'json'))
    throw new Error(`${file}: @many names ${many}, which is not a list among the arguments`);
  if (!summary || !returns) throw new Error(`${file}: the head must have a summary (---) and --@returns`);
  const used = new Set([...source.matchAll(/\barg\.(\w+)/g)].map((m) => m[1]));
  for (const { name: argName } of args)
    if (!used.delete(argName)) throw new Error(`${file}: argument ${argName} is never used`);
  if (used.size > 0) throw new Error(`${file}: uses undeclared arguments ${[...used].join(', ')}`);
  const body = lines
    .filter((l) => !l.startsWith('--'))
    .join('\n')
    .trim();
  const table = (first) => args.map((a, i) => `${a.name} = ARGV[${first(i)}]`).join(', ');
  const include = (i) => read(`lua/include/${i}.lua`).trim();
  const parts =
    many === undefined
      ? [
          ...includes.map(include),
          `local function one(arg)\n${body}\nend`,
          `local ok, answer = pcall(one, { ${table((i) => i + 1)} })`,
          'end_call()',
          "if not ok then return type(answer) == 'table' and answer or { err = 'ERR ' .. tostring(answer) } end",
          'return answer',
        ]
      : [
          ...includes.map(include),
          `local function one(arg)\n${body}\nend`,
          include('many'),
          'local answers, failure = {}, nil',
          `for at = 1, #ARGV, ${args.length} do`,
          `  failure = add_answer(answers, pcall(one, { ${table((i) => (i === 0 ? 'at' : `at + ${i}`))} }))`,
          '  if failure then break end',
          'end',
          'end_call()',
          'return failure or answers',
        ];
  const lua = named(`${parts.join('\n')}\n`, file);
  const sha = createHash('sha1').update(lua).digest('hex');
  const fields = args
    .map((a) => `${a.words ? `\n  /** ${a.words} */` : ''}\n  readonly ${a.name}: ${types[a.type]};`)
    .join('');
  const values = args.map((a) =>
    a.type === 'json'
      ? `JSON.stringify(args.${a.name})`
      : a.type === 'number'
        ? `String(args.${a.name})`
        : `args.${a.name}`,
  );
  const Type = name[0].toUpperCase() + name.slice(1);
  blocks.push(`
export interface ${Type}Args {${fields}
}
const ${name}Script: Script = { name: '${name}', sha: '${sha}', ${many === undefined ? '' : 'many: true, '}lua: ${JSON.stringify(lua)} };

/**
 * ${summary}
 *
 * @returns ${returns}
 */
export function ${name}(run: ScriptRunner, args: ${Type}Args): Promise<string[]> {
  return run(${name}Script, [${values.join(', ')}]${many ? `, args.${many}.length` : ''});
}`);
}

mkdirSync(new URL('src/generated/', here), { recursive: true });
const fields = Object.entries(ticketFields)
  .map(([name, stored]) => `  ${camel(name.replaceAll('_', '-'))}: '${stored}',`)
  .join('\n');
writeFileSync(
  new URL('src/generated/scripts.ts', here),
  `// Made by generate-scripts.mjs from lua/*.lua. Change those.\nimport type { Script, ScriptRunner } from '@muster/redis';\n\n/** Fields of a ticket's hash: see ticket-fields.mjs. */\nexport const ticketFields = {\n${fields}\n} as const;\n${blocks.join('\n')}\n`,
);
