export { type ForeignPrompt, writtenCodec } from './codec-between.ts';
export { holdsEnvelope } from './envelope.ts';
export {
  createTranslator,
  forgetTranslation,
  type Scribe,
  sizeOfTranslation,
  sizeOfTrees,
  type Translator,
  translatorOf,
} from './translator.ts';
