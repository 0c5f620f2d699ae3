import type { MatchView } from '@muster/contracts';
import type { DemoLine } from '@muster/embedded';

/** Reports the events of a demo: one line of standard output each, an object for programs and a text for people. */
export class DemoReporter {
  constructor(
    private readonly colour: boolean,
    private readonly out: Pick<NodeJS.WriteStream, 'write'> = process.stdout,
  ) {}

  stepDone(): void {
    this.write({ begun: true });
  }

  /** A step of the demo. */
  say(text: string): void {
    this.write({ line: { event: 'notice', text }, text });
  }

  /** An event. @param text for people; null when only programs get it */
  event(event: string, text: string | null, facts: object): void {
    const time = this.dim(new Date().toISOString().slice(11, 19));
    this.write({ line: { ...facts, event }, text: text === null ? null : `${time}  ${text}` });
  }

  /** Lines for people, such as a table; programs get the summary. */
  show(lines: readonly string[]): void {
    this.write({ line: null, text: lines.join('\n') });
  }

  /** A match that ended, on one line. */
  match(match: MatchView): void {
    this.write({ line: { event: 'match', match }, text: this.matchText(match) });
  }

  /** The result. @returns once it is written, because the process ends then */
  summary(summary: object): Promise<void> {
    return new Promise((resolve) => {
      this.out.write(`${JSON.stringify({ summary })}\n`, () => resolve());
    });
  }

  private matchText(match: MatchView): string {
    const time = this.dim(new Date(match.formedAt ?? 0).toISOString().slice(11, 19));
    const id = this.dim(match.matchId.slice(4, 12));
    if (match.state !== 'rated') return `${time}  ${id}  ${match.state}: ${match.closeReason ?? ''}`;
    const teams = match.prediction.map((chance, t) => {
      const members = match.players.filter((player) => player.team === t);
      const names = crewsOf(members).join(' ');
      return `${match.ranks[t] === 1 ? this.bold(names) : names} ${this.dim(`(${(100 * chance).toFixed(0)} %)`)}`;
    });
    const waits = match.players.map((player) => player.waitedMs ?? 0);
    const longest = (Math.max(...waits) / 1000).toFixed(1);
    const placed =
      match.placedAt !== null && match.proposedAt !== null
        ? `${match.placedAt - match.proposedAt} ms to a server`
        : '';
    const attempts = match.placements > 1 ? `, ${match.placements} servers asked` : '';
    return `${time}  ${id}  ${teams.join(' v ')}  on ${match.serverId ?? '?'}, longest wait ${longest} s, ${placed}${attempts}`;
  }

  private write(line: DemoLine): void {
    this.out.write(`${JSON.stringify(line)}\n`);
  }

  private dim(text: string): string {
    return this.colour ? `\u001b[2m${text}\u001b[22m` : text;
  }

  private bold(text: string): string {
    return this.colour ? `\u001b[1m${text}\u001b[22m` : text;
  }
}

/** Names of a team, parties joined by +. */
function crewsOf(members: readonly { playerId: string; ticketId: string | null }[]): string[] {
  const crews = new Map<string, string[]>();
  for (const { playerId, ticketId } of members) {
    const key = ticketId ?? playerId;
    crews.set(key, [...(crews.get(key) ?? []), playerId.replace(/^demo-/, '')]);
  }
  return [...crews.values()].map((crew) => crew.join('+'));
}
