import type { Teller } from '../teller.js';
import type { ArenaStory } from './arena.js';
import { sideNames } from './match.js';
import { percent, type ArenaReport } from './report.js';

/** For people there is a story of each kind no more often than this, and the state of things. */
const storyEveryMs = 1_500;
const stateEverySeconds = 10;

/** Reports what happens in the arena: everything to programs, to people not too much. */
export class ArenaTelling {
  private stateAt = 0;
  private readonly toldAt = new Map<ArenaStory['what'], number>();
  private untold = 0;

  constructor(private readonly teller: Pick<Teller, 'happening'>) {}

  /** How things stand, as often as it is due. */
  state({ servers, seconds }: ArenaReport): void {
    if (seconds - this.stateAt < stateEverySeconds) return;
    this.stateAt = seconds;
    const shares = servers.map(
      ({ policy, fairShare }) =>
        `${percent(fairShare ?? 0)} ${policy === 'none' ? 'without' : `with ${policy}`}`,
    );
    this.teller.happening('state', `Fair time so far: ${shares.join(', ')}.`, { seconds, servers });
  }

  /** @param now milliseconds since the epoch */
  story(story: ArenaStory, now: number): void {
    const isDue = now - (this.toldAt.get(story.what) ?? 0) >= storyEveryMs;
    if (!isDue) {
      this.untold++;
      return this.teller.happening(story.what, null, story);
    }
    const since = this.untold > 0 ? ` (and ${this.untold} more)` : '';
    this.untold = 0;
    this.toldAt.set(story.what, now);
    this.teller.happening(story.what, `${words(story)}${since}`, story);
  }
}

function words({ text, policy, playerIds = [], chance }: ArenaStory): string {
  const who = playerIds.length === 0 ? '' : ` ${playerIds.join(', ').replaceAll('arena-', '')}:`;
  const came = chance ? `${who} ${lead(chance[0])} → ${lead(chance[1])}` : who;
  return `${policy === 'none' ? 'without' : policy}  ${text}${came}`;
}

/** How the chances stand: `Red 63 %`. */
function lead(chance: number): string {
  const side = chance >= 0.5 ? 0 : 1;
  return `${sideNames[side]} ${Math.round(100 * Math.max(chance, 1 - chance))} %`;
}
