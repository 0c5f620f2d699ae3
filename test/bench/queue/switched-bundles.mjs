// Edits the bundles as they load, and the scripts in them: each place that counts looks first whether counting is on. What this
// look costs is a part of both.
import { createHash } from 'node:crypto';

const switchMs = Number(process.env.METRICS_SWITCH_MS);
const ifCounted = (text) => `if (!globalThis.uncounted) ${text}`;

/** Text of bundles, and what takes its place. */
const edits = [
  ...['this.keptOf(figure).add(labels, by);', 'this.keptOf(figure).add(labels, value);'].map((text) => [
    text,
    ifCounted(text),
  ]),
  [
    'const name = endpointAt(request.method, request.routeOptions.url);',
    'if (globalThis.uncounted) return done();\nconst name = endpointAt(request.method, request.routeOptions.url);',
  ],
  [
    'const method = `${service}.${name}`;',
    'if (globalThis.uncounted) return caller.call(name, request, deadlineMs);\nconst method = `${service}.${name}`;',
  ],
  ...['minute notes', 'invariants', 'pool figures'].map((loop) => [
    new RegExp(String.raw`Every\("${loop}"(?:[^()]|\([^)]*\))*\)`),
    (found) => `globalThis.whileCounted(${found})`,
  ]),
];

/** The same of scripts. */
const off = `local at = redis.call('TIME')
  local turn = math.floor((at[1] * 1000 + at[2] / 1000) / ${switchMs}) % 4
  if turn == 1 or turn == 2 then return end`;
const scriptEdits = [
  'local function count(queue, what)\n',
  'local function count_value(queue, what, value)\n',
].map((head) => [head, `${head}  ${off}\n`]);

const edited = (text, changes) =>
  changes.reduce((all, [from, to]) => all.replace(from, typeof to === 'string' ? () => to : to), text);

/** A script is called by its hash. */
const script = /sha: "[0-9a-f]{40}",(\s*(?:many: true,\s*)?)lua: ("(?:[^"\\]|\\.)*")/g;
const withScript = (_, between, quoted) => {
  const lua = edited(JSON.parse(quoted), scriptEdits);
  return `sha: "${createHash('sha1').update(lua).digest('hex')}",${between}lua: ${JSON.stringify(lua)}`;
};

export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (loaded.format !== 'module' || !/\/dist\/[^/]+\.js$/.test(url)) return loaded;
  return { ...loaded, source: edited(String(loaded.source), edits).replace(script, withScript) };
}
