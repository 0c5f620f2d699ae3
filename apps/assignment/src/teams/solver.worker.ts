import { Unsolvable } from '@muster/domain';
import { SolveTeams, type TeamsCall, type TeamsReply } from './solve-teams.js';
import { warmUp } from './warm-up.js';

const teams = new SolveTeams({ now: () => performance.now() });
warmUp(teams);

/** Answers one call in a thread. An error's class and facts would not survive serialisation, so a refusal is a value. */
export default function solve(call: TeamsCall): TeamsReply {
  try {
    return { answer: teams.answer(call) };
  } catch (error) {
    if (!(error instanceof Unsolvable)) throw error;
    return { refusal: { message: error.message, facts: error.facts } };
  }
}
