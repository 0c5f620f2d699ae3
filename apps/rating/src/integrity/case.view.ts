import { sentenceOf, type CaseView, type MessageView } from '@muster/contracts';
import type { Message } from '@muster/domain';
import type { IntegrityCase } from './cases.store.js';

export function caseView({ pro, contra, ...rest }: IntegrityCase): CaseView {
  return { ...rest, pro: pro.map(viewOf), contra: contra.map(viewOf) };
}

function viewOf(message: Message): MessageView {
  return { code: message.code, params: { ...message.params }, text: sentenceOf(message) };
}
