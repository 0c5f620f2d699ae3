import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout, say, Unprepared } from './checkout.mjs';

const numbers = (text) => (/(\d+)\.(\d+)\.(\d+)/.exec(text) || []).slice(1).map(Number);

function atLeast(version, least) {
  const at = version.findIndex((number, place) => number !== least[place]);
  return at === -1 || version[at] > least[at];
}

/**
 * Whether a version lies in a range. Only the forms that our `engines` field uses: `^1.2.3`, `>=1.2.3`, joined by `||`.
 *
 * @throws on any other form, because to guess would be to let a wrong Node pass
 */
export function satisfies(version, range) {
  return range.split('||').some((part) => {
    const form = /^\s*(\^|>=)\s*\d+\.\d+\.\d+\s*$/.exec(part);
    if (form === null) throw new Error(`cannot read the range of Node versions '${range}'`);
    const [have, least] = [numbers(version), numbers(part)];
    return atLeast(have, least) && (form[1] === '>=' || have[0] === least[0]);
  });
}

/** The last month with updates of lines on which Muster still runs. */
const ended = { 20: 'April 2026' };

/**
 * Refuses a Node that Muster does not run on, before it fails on something harder to read.
 *
 * @param options `quiet` does not mention that a line of Node has ended
 */
export function checkNode({ quiet }) {
  const { engines } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const [line] = numbers(process.versions.node);
  if (satisfies(process.versions.node, engines.node)) {
    if (line in ended && !quiet)
      say(`Node ${line} works, but had its last security fixes in ${ended[line]}; Node 24 gets them.`);
    return;
  }
  throw new Unprepared(
    `Muster needs Node ${engines.node.replace('||', 'or')}, and this is ${process.version} (${process.execPath}). ` +
      'Install a newer one from https://nodejs.org, or choose it with your version manager (`nvm install 24`).',
  );
}
