export { catalogue, messageCodes, type Catalogue, type Entry } from './catalogue.js';
export {
  MessageView,
  MessageViews,
  readMessages,
  readReason,
  reasonOf,
  sentenceOf,
  StoredMessages,
  textOf,
  viewsOf,
  whyOf,
  writeReason,
} from './spoken.js';
export { namesIn, parseTemplate } from './template.js';
