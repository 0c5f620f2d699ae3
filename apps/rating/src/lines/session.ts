import { type Command, quoted } from './command.js';

/** What is played on a server: chooses the rating pool. */
export interface Game {
  readonly type: string;
  /** Every mutator that was named, whether or not it affects play. */
  readonly mutators: readonly string[];
}

/** All that is remembered of a connection between its lines. */
export interface Session {
  readonly game: Game | null;
}

/** A question, with the game that it was asked in. */
export type Question =
  | { readonly kind: 'player'; readonly game: Game; readonly id: string }
  | { readonly kind: 'bot'; readonly game: Game; readonly name: string; readonly id: string }
  | { readonly kind: 'meanbot'; readonly game: Game };

/** What is known to a question. */
export type Answer =
  /** 0 to 100; null of a player whom the pool does not know. `count` says of how many bots it is the mean. */
  | { readonly weight: number | null; readonly count?: number }
  /** Why there is no answer, for people. */
  | { readonly refused: string };

/** What a line does: the session after it, and what is to be said or asked, if anything. */
export interface Step {
  readonly session: Session;
  readonly say?: string;
  readonly ask?: Question;
}

export const newSession: Session = { game: null };

/** A game with more than this is none; it also bounds what a connection can make us remember. */
const mostMutators = 64;

/**
 * One line of a session.
 *
 * 1. GAME begins a new game without mutators; MUTATOR adds one to it. Neither is answered.
 * 2. PLAYER, BOT and MEANBOT ask in the game as it stands, and each gets one line: the answer or an ERROR.
 * 3. A line that is none of these, or comes before GAME, gets an ERROR and changes nothing.
 */
export function step(session: Session, command: Command): Step {
  switch (command.kind) {
    case 'blank':
      return { session };
    case 'flaw':
      return { session, say: errorLine(command.says) };
    case 'game':
      return { session: { game: { type: command.type, mutators: [] } } };
    case 'mutator':
      return withMutator(session, command.name);
    case 'player':
      return inGame(session, (game) => ({ kind: 'player', game, id: command.id }));
    case 'bot':
      return inGame(session, (game) => ({ kind: 'bot', game, name: command.name, id: command.id }));
    case 'meanbot':
      return inGame(session, (game) => ({ kind: 'meanbot', game }));
  }
}

function withMutator(session: Session, name: string): Step {
  const { game } = session;
  if (!game)
    return { session, say: errorLine(`MUTATOR ${quoted(name)} came before GAME; say GAME type first`) };
  if (game.mutators.includes(name)) return { session };
  if (game.mutators.length >= mostMutators)
    return {
      session,
      say: errorLine(`${mostMutators} mutators are the most; ${quoted(name)} does not count`),
    };
  return { session: { game: { ...game, mutators: [...game.mutators, name] } } };
}

function inGame(session: Session, question: (game: Game) => Question): Step {
  return session.game
    ? { session, ask: question(session.game) }
    : { session, say: errorLine('no game yet: the game type chooses the weights; say GAME type first') };
}

/** The line, with its end, that answers a question. */
export function answerLine(question: Question, answer: Answer): string {
  if ('refused' in answer) return errorLine(answer.refused);
  const weight = answer.weight === null ? '' : ` ${decimal(answer.weight)}`;
  switch (question.kind) {
    case 'player':
      return `PLAYER ${question.id}${weight}\n`;
    case 'bot':
      return `BOT ${question.name}${weight}\n`;
    case 'meanbot':
      return `MEANBOT${weight} ${answer.count ?? 0}\n`;
  }
}

/** One line, whatever it is told: what breaks lines becomes a blank. */
export function errorLine(says: string): string {
  return `ERROR ${says.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')}\n`;
}

/** Two decimals, within 0 to 100. */
function decimal(weight: number): string {
  return Math.min(100, Math.max(0, weight)).toFixed(2);
}
