import { type Command, quoted } from './command.js';

/** The game of a server, which selects the rating pool. */
export interface Game {
  readonly type: string;
  /** All mutators, including cosmetic ones. */
  readonly mutators: readonly string[];
}

/** The state of a connection between lines. */
export interface Session {
  readonly game: Game | null;
}

/** A question, with the game at the time it was asked. */
export type Question =
  | { readonly kind: 'player'; readonly game: Game; readonly id: string }
  | { readonly kind: 'bot'; readonly game: Game; readonly name: string; readonly id: string }
  | { readonly kind: 'meanbot'; readonly game: Game };

/** The answer to a question. */
export type Answer =
  /** 0 to 100; null for an unknown player. `count` is the number of bots in the mean. */
  | { readonly weight: number | null; readonly count?: number }
  /** A human-readable reason for the missing answer. */
  | { readonly refused: string };

/** The effect of a line: the next session, and a reply or a question. */
export interface Step {
  readonly session: Session;
  readonly reply?: string;
  readonly question?: Question;
}

export const newSession: Session = { game: null };

/** Maximum number of mutators; it also bounds the memory of a connection. */
const maxMutators = 64;

/**
 * Processes one line of a session.
 *
 * 1. GAME begins a new game without mutators; MUTATOR adds one. Neither gets a reply.
 * 2. PLAYER, BOT and MEANBOT ask within the current game. Each gets one line: the answer or an ERROR.
 * 3. An invalid line, or one before GAME, gets an ERROR and changes nothing.
 */
export function step(session: Session, command: Command): Step {
  switch (command.kind) {
    case 'blank':
      return { session };
    case 'flaw':
      return { session, reply: errorLine(command.error) };
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
    return { session, reply: errorLine(`MUTATOR ${quoted(name)} came before GAME; send GAME type first`) };
  if (game.mutators.includes(name)) return { session };
  if (game.mutators.length >= maxMutators)
    return {
      session,
      reply: errorLine(`there are at most ${maxMutators} mutators; ${quoted(name)} is ignored`),
    };
  return { session: { game: { ...game, mutators: [...game.mutators, name] } } };
}

function inGame(session: Session, question: (game: Game) => Question): Step {
  return session.game
    ? { session, question: question(session.game) }
    : { session, reply: errorLine('no game yet: the game type chooses the weights; send GAME type first') };
}

/** The reply to a question, with its line end. */
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

/** An ERROR on one line: line breaks and control characters become spaces. */
export function errorLine(error: string): string {
  return `ERROR ${error.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')}\n`;
}

/** Two decimals, within 0 to 100. */
function decimal(weight: number): string {
  return Math.min(100, Math.max(0, weight)).toFixed(2);
}
