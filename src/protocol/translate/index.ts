export { holdsEnvelope } from './envelope.ts';
export { forgetTranslation, type Scribe, sizeOfTranslation, type Translator, translatorOf } from './translator.ts';
