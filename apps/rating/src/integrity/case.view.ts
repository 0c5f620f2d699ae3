import { sentenceOf, type CaseView, type MessageView } from '@muster/contracts';
import type { IntegrityCase, Message } from '@muster/domain';

export function caseView({ players, pro, contra, ...rest }: IntegrityCase): CaseView {
  return { ...rest, players: [...players], pro: pro.map(viewOf), contra: contra.map(viewOf) };
}

function viewOf(message: Message): MessageView {
  return { code: message.code, params: { ...message.params }, text: sentenceOf(message) };
}
