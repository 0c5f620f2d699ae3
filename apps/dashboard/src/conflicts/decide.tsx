import type { AnswerOf, ConflictDecision } from '@muster/contracts';
import type { ReactElement } from 'react';
import { useSession } from '../session/session.js';
import { Action, reason } from '../ui/action.js';
import { textIn } from '../ui/values/values.js';
import { decisionsAfter, decisionWords, type Contested } from './conflict.js';

const why = reason('Shown with the decision and in the audit log.');

/** The decisions that may still be made about the results of a match. */
export function Decide({ contested }: { readonly contested: Contested }): ReactElement {
  const { operator } = useSession();
  const { matchId, reports, decision } = contested;
  const open = decisionsAfter(decision);
  const send =
    (as: ConflictDecision, conflictId?: number) =>
    (values: Parameters<typeof textIn>[0]): Promise<AnswerOf<'decideConflict'>> =>
      operator.decideConflict(matchId, { as, conflictId, reason: textIn(values, 'reason') });
  return (
    <>
      {open.includes('kept') && (
        <Action
          call="decideConflict"
          label="Keep the counted result"
          title={`Keep the counted result of ${matchId}`}
          text="The result that counted stays in force, and the other reports have no effect. You can change this decision later."
          fields={[why]}
          send={send('kept')}
          done={doneOf(matchId)}
        />
      )}
      {open.includes('other') &&
        reports.map(({ conflictId, reportedBy }) => (
          <Action
            key={conflictId}
            call="decideConflict"
            label={reports.length === 1 ? 'Count the other report' : `Count report ${conflictId}`}
            title={`Count the report of ${reportedBy} for ${matchId}`}
            text="The match becomes void, and the report counts as a match of its own, played at the same time. The ratings of the pool are rebuilt in the background. The first result cannot be restored later."
            fields={[why]}
            isGrave
            send={send('other', conflictId)}
            done={doneOf(matchId)}
          />
        ))}
      {open.includes('void') && (
        <Action
          call="decideConflict"
          label="Void the match"
          title={`Void match ${matchId}`}
          text="No result of the match counts. The ratings of the pool are rebuilt without it in the background, and its penalties are lifted. This cannot be undone."
          fields={[why]}
          isGrave
          send={send('void')}
          done={doneOf(matchId)}
        />
      )}
    </>
  );
}

/** The decision in force may be that of another operator, who was faster. */
const doneOf =
  (matchId: string) =>
  (answer: unknown): string => {
    const { decision, countsAs } = answer as AnswerOf<'decideConflict'>;
    return `${matchId}: ${decisionWords[decision]}${countsAs === null ? '' : `, as match ${countsAs}`}.`;
  };
