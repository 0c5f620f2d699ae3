import type { ArenaStory } from '../demo/arena/arena.js';
import { sideNames } from '../demo/arena/match.js';
import { nothingPlayed, percent, type ArenaReport } from '../demo/arena/report.js';
import type { Teller } from './teller.js';

/** For people there is a story of each kind no more often than this, and the state of things. */
const storyEveryMs = 1_500;
const stateEverySeconds = 10;

type Line = ArenaStory | { readonly event: 'report'; readonly report: ArenaReport };

/** Retells what the process of the arena prints: everything to programs, to people not too much. */
export class ArenaTelling {
  report = nothingPlayed();
  private stateAt = 0;
  private readonly toldAt = new Map<ArenaStory['what'], number>();
  private untold = 0;

  constructor(private readonly teller: Pick<Teller, 'happening'>) {}

  /** @param now milliseconds since the epoch */
  hear(text: string, now: number): void {
    const line = lineOf(text);
    if (line?.event === 'report') this.hearReport(line.report);
    else if (line?.event === 'story') this.hearStory(line, now);
  }

  private hearReport(report: ArenaReport): void {
    // A process that was started again begins anew.
    if (report.seconds < this.stateAt) this.stateAt = 0;
    const isDue = report.seconds - this.stateAt >= stateEverySeconds;
    this.report = report;
    if (!isDue) return;
    this.stateAt = report.seconds;
    const shares = report.servers.map(
      ({ policy, fairShare }) =>
        `${percent(fairShare ?? 0)} ${policy === 'none' ? 'without' : `with ${policy}`}`,
    );
    const { servers, seconds } = report;
    this.teller.happening('state', `Fair time so far: ${shares.join(', ')}.`, { seconds, servers });
  }

  private hearStory(story: ArenaStory, now: number): void {
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

function lineOf(text: string): Line | null {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'object' && line !== null && 'event' in line ? (line as Line) : null;
  } catch {
    return null;
  }
}

/** How the chances stand: `Red 63 %`. */
function lead(chance: number): string {
  const side = chance >= 0.5 ? 0 : 1;
  return `${sideNames[side]} ${Math.round(100 * Math.max(chance, 1 - chance))} %`;
}
