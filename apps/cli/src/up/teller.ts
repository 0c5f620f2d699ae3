import type { MatchView } from '@muster/contracts';

/** Tells what happens: sentences for people on standard output, or with `--json` one JSON object a line. */
export class Teller {
  private readonly colour: boolean;

  constructor(
    private readonly json: boolean,
    private readonly out: NodeJS.WriteStream = process.stdout,
  ) {
    this.colour = !json && out.isTTY && process.env['NO_COLOR'] === undefined;
  }

  /** A step of the set-up, or a notice. */
  say(text: string, facts: Readonly<Record<string, unknown>> = {}): void {
    if (this.json) this.line({ event: 'notice', text, ...facts });
    else this.out.write(`${text}\n`);
  }

  ready(text: string, facts: Readonly<Record<string, unknown>>): void {
    if (this.json) this.line({ event: 'ready', ...facts });
    else this.out.write(`${text}\n`);
  }

  /** What happens in a demo: `text` for people; null for what only programs are told. */
  happening(event: string, text: string | null, facts: object): void {
    if (this.json) return this.line({ ...facts, event });
    if (text === null) return;
    this.out.write(`${this.dim(new Date().toISOString().slice(11, 19))}  ${text}\n`);
  }

  /** Lines for people, such as a table; programs have the last line. */
  show(lines: readonly string[]): void {
    if (!this.json) this.out.write(`${lines.join('\n')}\n`);
  }

  /** A match that came to its end, on one line. */
  match(match: MatchView): void {
    if (this.json) return this.line({ event: 'match', match });
    const time = new Date(match.formedAt ?? 0).toISOString().slice(11, 19);
    if (match.state !== 'rated') {
      this.out.write(
        `${this.dim(time)}  ${this.dim(match.matchId.slice(4, 12))}  ${match.state}: ${match.closeReason ?? ''}\n`,
      );
      return;
    }
    const teams = match.prediction.map((chance, t) => {
      const members = match.players.filter((player) => player.team === t);
      const won = match.ranks[t] === 1;
      const names = crewsOf(members).join(' ');
      return `${won ? this.bold(names) : names} ${this.dim(`(${(100 * chance).toFixed(0)} %)`)}`;
    });
    const waits = match.players.map((player) => player.waitedMs ?? 0);
    const longest = (Math.max(...waits) / 1000).toFixed(1);
    const placed =
      match.placedAt !== null && match.proposedAt !== null
        ? `${match.placedAt - match.proposedAt} ms to a server`
        : '';
    this.out.write(
      `${this.dim(time)}  ${this.dim(match.matchId.slice(4, 12))}  ${teams.join(' v ')}  on ${match.serverId ?? '?'}, ` +
        `longest wait ${longest} s, ${placed}${match.placements > 1 ? `, ${match.placements} servers asked` : ''}\n`,
    );
  }

  /** The last line: always JSON. */
  last(summary: object): void {
    this.out.write(`${JSON.stringify(summary)}\n`);
  }

  private line(value: object): void {
    this.out.write(`${JSON.stringify(value)}\n`);
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
