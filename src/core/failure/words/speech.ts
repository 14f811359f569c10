const wordsOf = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

/** What holds a sentence together, of whatever it speaks. */
export const GLUE: readonly string[] = wordsOf([
  'a an the and or but if then than that this these those there it its is are was were be been being am do does did done',
  'has have had having not no none only also already again any all each every some such same other another both more most',
  'less least at by for from in into of on onto over to under up out with without within between before behind after until',
  'during while when where which who what why how because since as so too very just yet still now currently temporarily',
  'can could cannot may might must should would will shall you your we our us i',
]);

/**
 * Words that errors are made of, beside those of the other tables. They say nothing of anybody: where a request holds an
 * error that was told before, its words may be told again. No name, no place, nothing that people talk about.
 */
export const SPEECH: readonly string[] = wordsOf([
  // What errors say of a request.
  'error errors failed failure fail fails invalid unexpected unknown unrecognized unsupported supported support',
  'missing required requires require expected expects got received found provided given contains contain include',
  'includes included allowed permitted forbidden refused rejected denied accepted valid bad malformed empty wrong',
  'incorrect corrupted specified match matches matching corresponding following followed follow preceding previous',
  'next first last start end begin begins ends ending additional extra inputs input output outputs value values type',
  'types field fields format formats schema string strings number numbers integer boolean object objects array arrays',
  'list lists null item items index element elements property properties parameter parameters argument arguments name',
  'names key keys path body header headers url query size sizes length lengths count counts characters bytes range',
  'json syntax parse parsed parsing decode decoded message messages content contents block blocks text system user',
  'assistant developer tool tools function functions call calls use uses used using id ids result results response',
  'responses request requests requested prompt prompts completion completions turn role roles image images audio file',
  'files document documents reasoning thinking signature encrypted stream streaming temperature top p k n max min',
  'tokens token budget stop choice effort instructions',
  // What they say of a limit, an account or a server.
  'limit limits limited rate rates reached reach exceed exceeds exceeded exceeding maximum minimum per minute minutes',
  'second seconds hour hours day days week month daily monthly ms s m h tpm rpm rpd tpd quota quotas usage current',
  'available remaining total resulted increase reduce lower higher greater longer shorter large larger small smaller',
  'long please try retry later wait contact visit see go check learn read details documentation docs information https',
  'http www com account accounts billing plan plans credit credits balance organization project tier upgrade purchase',
  'add model models endpoint endpoints deployment provider providers api server servers service services upstream',
  'engine gateway exist exists unavailable access permission permissions authentication authorization authorized',
  'overloaded busy capacity demand traffic timeout timed internal status code reason raised returned returning',
  'processing process processed unable problem issue issues help instead update updated enable enabled disabled set',
  'change verify verified make sure need needs however whether true false auto equal equals position corresponds',
  'responding respond expired expire combined together combination removed uploaded download upload inaccessible',
  'deployed loaded loading unauthorized identifier sent duplicate custom non pattern exception throttling validation',
  'bearer basic openai anthropic google azure bedrock gpt claude gemini llama mistral',
]);

/** What a number stands in front of when it counts something of a request or of a limit, and not of somebody's life. */
export const COUNTED: readonly string[] = wordsOf([
  'token tokens second seconds minute minutes hour hours ms s request requests character characters byte bytes',
  'image images messages maximum max minimum min requested exceeds exceed',
]);

/** And what it stands behind. */
export const MEASURES: readonly string[] = wordsOf([
  'token tokens request requests character characters byte bytes limit used requested maximum max minimum min than equal',
  'position length exceeds exceed exceeded current available remaining',
]);

/** What may stand between the two. */
export const LINKS: readonly string[] = wordsOf(['of is was to as at with only']);

/** Behind these stands a status. */
export const STATUSES: readonly string[] = wordsOf(['status error']);

/** Phrases by which errors are known that the table needs no words for. */
export const SPEECH_PHRASES = [
  'try again',
  'retry after',
  'not supported',
  'does not support',
  'unsupported parameter',
  'unsupported value',
  'unknown parameter',
  'missing required parameter',
  'extra inputs are not permitted',
  'invalid value',
  'invalid type',
  'invalid schema',
  'invalid parameter',
  'invalid request',
  'field required',
  'is required',
  'not permitted',
  'not allowed',
  'not found',
  'were found without',
  'must be followed by',
  'must have a corresponding',
  'must be',
  'must contain',
  'should be',
  'should match',
  'should have',
  'does not match',
  'did not match',
  'does not exist',
  'did not have',
  'was provided without',
  'found in',
  'expected an',
  'expected a',
  'expected one of',
  'too long',
  'too large',
  'cannot be',
  'cannot both be',
  'could not be',
  'has exceeded',
  'was exceeded',
  'have exceeded',
  'has expired',
  'have expired',
  'has been removed',
  'has been disabled',
  'is the maximum',
  'is invalid',
  'is disabled',
  'is not authorized',
  'output found for',
  'failed to',
  'internal server error',
  'is overloaded',
  'had an error while processing',
  'is unavailable',
  'service unavailable',
  'temporarily unavailable',
  'bad gateway',
  'gateway timeout',
  'provider returned error',
] as const;
