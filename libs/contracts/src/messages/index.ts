export {
  MessageView,
  MessageViews,
  packReason,
  readMessages,
  readReason,
  readWhy,
  reasonOf,
  sentenceOf,
  StoredMessages,
  textOf,
  unpackReason,
  viewsOf,
  whyOf,
  writeReason,
} from './message-views.js';
export { namesIn, parseTemplate } from './template.js';
