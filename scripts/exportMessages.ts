import { languages, readBundle, sourceBundle, writeBundle } from './messageBundle.ts';
import { collectMessages } from './messages.ts';
import { sourceProgram } from './sourceProgram.ts';

// `npm run messages`: writes what there is to translate, drops translations of what is gone, and names what is
// still to be translated. A unit test fails where that was forgotten.
const { sources, checker } = sourceProgram();
const messages = collectMessages(sources, checker);
writeBundle(sourceBundle(messages));
for (const language of languages()) {
  const translated = readBundle(language);
  const entries = messages.flatMap((message) => {
    const translation = translated[message];
    return translation === undefined ? [] : [[message, translation] as const];
  });
  writeBundle(Object.fromEntries(entries), language);
  for (const message of messages.filter((one) => translated[one] === undefined)) {
    console.log(`${language}: ${JSON.stringify(message)}`);
  }
}
