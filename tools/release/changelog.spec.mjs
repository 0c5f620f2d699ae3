import { describe, expect, it } from 'vitest';
import { entryOf, withEntry } from './changelog.mjs';

const changed = (summary, ...types) => ({
  summary,
  releases: types.map((type) => ({ name: '@muster/queue', type })),
});

describe('the entry of a release', () => {
  it('groups changes by bump, with what an upgrade needs first', () => {
    const entry = entryOf('0.2.0', '2026-12-01', [
      changed('A ticket expires on time.', 'patch'),
      changed('Queues have seasons.', 'patch', 'minor'),
      changed('Parties have at most eight players.', 'major'),
    ]);
    expect(entry).toBe(
      [
        '## [0.2.0] - 2026-12-01',
        '',
        '### Changed',
        '',
        '- Parties have at most eight players.',
        '',
        '### Added',
        '',
        '- Queues have seasons.',
        '',
        '### Fixed',
        '',
        '- A ticket expires on time.',
        '',
      ].join('\n'),
    );
  });

  it('uses a heading named by the summary, and no other word before a colon', () => {
    const entry = entryOf('0.2.0', '2026-12-01', [
      changed('Security: tokens end.', 'patch'),
      changed('Note: a word is no heading.\nTwo lines.', 'patch'),
    ]);
    expect(entry).toContain('### Security\n\n- tokens end.\n');
    expect(entry).toContain('### Fixed\n\n- Note: a word is no heading.\n  Two lines.\n');
  });

  it('omits changesets without a release', () => {
    expect(entryOf('0.2.0', '2026-12-01', [changed('Tests only.', 'none'), changed('Tests only.')])).toBe(
      '## [0.2.0] - 2026-12-01\n',
    );
  });
});

describe('the changelog', () => {
  const changelog = '# Changelog\n\nIntroduction.\n\n## [0.1.0] - 2026-11-22\n\n- First.\n';

  it('has the newest release first', () => {
    expect(withEntry(changelog, '## [0.2.0] - 2026-12-01\n')).toBe(
      '# Changelog\n\nIntroduction.\n\n## [0.2.0] - 2026-12-01\n\n## [0.1.0] - 2026-11-22\n\n- First.\n',
    );
  });

  it('takes a first entry', () => {
    expect(withEntry('# Changelog\n', '## [0.1.0] - 2026-11-22\n')).toBe(
      '# Changelog\n\n## [0.1.0] - 2026-11-22\n',
    );
  });

  it('rejects a duplicate version', () => {
    expect(() => withEntry(changelog, '## [0.1.0] - 2026-12-01\n')).toThrow('has ## [0.1.0] already');
  });
});
