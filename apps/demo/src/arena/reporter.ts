import type { DemoReporter } from '../demo-reporter.js';
import type { ArenaStory } from './arena.js';
import { sideNames } from './match.js';
import { percent, type ArenaReport } from './report.js';

/** Interval between stories of a kind, and between reports of the state, for people. */
const storyEveryMs = 1_500;
const stateEverySeconds = 10;

/** Reports the events of the arena: all of them to programs, a selection to people. */
export class ArenaReporter {
  private stateAt = 0;
  private readonly reportedAt = new Map<ArenaStory['what'], number>();
  private omitted = 0;

  constructor(private readonly teller: Pick<DemoReporter, 'event'>) {}

  /** Reports the state when it is due. */
  state({ servers, seconds }: ArenaReport): void {
    if (seconds - this.stateAt < stateEverySeconds) return;
    this.stateAt = seconds;
    const shares = servers.map(
      ({ policy, fairShare }) =>
        `${percent(fairShare ?? 0)} ${policy === 'none' ? 'without' : `with ${policy}`}`,
    );
    this.teller.event('state', `Fair time so far: ${shares.join(', ')}.`, { seconds, servers });
  }

  /** @param now milliseconds since the epoch */
  story(story: ArenaStory, now: number): void {
    const isDue = now - (this.reportedAt.get(story.what) ?? 0) >= storyEveryMs;
    if (!isDue) {
      this.omitted++;
      return this.teller.event(story.what, null, story);
    }
    const since = this.omitted > 0 ? ` (and ${this.omitted} more)` : '';
    this.omitted = 0;
    this.reportedAt.set(story.what, now);
    this.teller.event(story.what, `${words(story)}${since}`, story);
  }
}

function words({ text, policy, playerIds = [], chance }: ArenaStory): string {
  const who = playerIds.length === 0 ? '' : ` ${playerIds.join(', ').replaceAll('arena-', '')}:`;
  const came = chance ? `${who} ${lead(chance[0])} → ${lead(chance[1])}` : who;
  return `${policy === 'none' ? 'without' : policy}  ${text}${came}`;
}

/** The chances as text: `Red 63 %`. */
function lead(chance: number): string {
  const side = chance >= 0.5 ? 0 : 1;
  return `${sideNames[side]} ${Math.round(100 * Math.max(chance, 1 - chance))} %`;
}
