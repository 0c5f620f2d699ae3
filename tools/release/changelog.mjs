/** The headings of Keep a Changelog. What an upgrade needs is first. */
const headings = ['Changed', 'Deprecated', 'Removed', 'Added', 'Fixed', 'Security'];
const headingOfBump = { major: 'Changed', minor: 'Added', patch: 'Fixed' };
const bumps = ['patch', 'minor', 'major'];

/**
 * The heading of a change and its text. The heading is the first word if it is one; otherwise it follows from the
 * largest bump.
 */
function lineOf({ summary, releases }) {
  const [, heading, text] = /^(\w+): ([\s\S]*)$/.exec(summary) ?? [];
  if (headings.includes(heading)) return { heading, text };
  const largest = Math.max(...releases.map(({ type }) => bumps.indexOf(type)));
  return { heading: headingOfBump[bumps[largest]], text: summary };
}

/**
 * The entry of one release.
 *
 * @param {string} version
 * @param {string} date ISO 8601, such as 2026-11-22
 * @param {readonly { summary: string, releases: readonly { type: string }[] }[]} changesets
 */
export function entryOf(version, date, changesets) {
  const lines = changesets
    .filter(({ releases }) => releases.some(({ type }) => bumps.includes(type)))
    .map(lineOf);
  const sections = headings
    .map((heading) => [heading, lines.filter((line) => line.heading === heading)])
    .filter(([, under]) => under.length > 0)
    .map(([heading, under]) => {
      const items = under.map(({ text }) => `- ${text.trim().replaceAll('\n', '\n  ')}`);
      return `### ${heading}\n\n${items.join('\n')}\n`;
    });
  return [`## [${version}] - ${date}\n`, ...sections].join('\n');
}

/** Inserts an entry before the newest release. @throws Error if the version exists */
export function withEntry(changelog, entry) {
  const [heading] = entry.split(' - ');
  if (changelog.includes(`${heading} `)) throw new Error(`CHANGELOG.md has ${heading} already.`);
  const at = changelog.search(/^## \[/m);
  if (at === -1) return `${changelog.trimEnd()}\n\n${entry}`;
  return `${changelog.slice(0, at)}${entry}\n${changelog.slice(at)}`;
}
