// Edits the bundles as they load: neither processes nor scripts count anything, and nobody looks once a minute. A product that
// never had metrics would cost the same, but for calls that do nothing.
import { createHash } from 'node:crypto';

/** Text of bundles, and what takes its place. */
const edits = [
  ['(0, import_prom_client.collectDefaultMetrics)({ register: this.registry });', ''],
  ['this.keptOf(figure).add(labels, by);', ''],
  ['this.keptOf(figure).add(labels, value);', ''],
  ['begin(service) {', 'begin(service) {\nreturn;'],
  ['measureCalls(adapter.getInstance(), metrics);', ''],
  ['measureCalls(edge, metrics);', ''],
  ['useValue: measuredWire(wire, metrics)', 'useValue: wire'],
  ...['minute notes', 'invariants', 'pool figures'].map((loop) => [
    new RegExp(String.raw`Every\("${loop}"[^)]*\)`),
    '() => undefined',
  ]),
];

/** The same of scripts. */
const scriptEdits = [
  ['local function count(queue, what)\n', 'local function count(queue, what)\n  do return end\n'],
  [
    'local function count_value(queue, what, value)\n',
    'local function count_value(queue, what, value)\n  do return end\n',
  ],
];

const edited = (text, changes) => changes.reduce((all, [from, to]) => all.replace(from, () => to), text);

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
