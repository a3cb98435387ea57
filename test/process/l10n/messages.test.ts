import assert from 'node:assert/strict';
import type ts from 'typescript';
import { readBundle, sourceBundle } from '../../../scripts/l10n/bundles.ts';
import { collectMessages, sourceProgram } from '../../../scripts/l10n/messages.ts';
import { untranslatedStrings } from '../../support/sources/untranslatedStrings.ts';
import { compileSample } from '../../support/sources/compileSample.ts';

/** Words that stay as they are in every language. */
const untranslated = new Set([
  // The name of the channel, which the README and the settings use too.
  'src/editor/listener/output/deliveriesOutput.ts Runhook Deliveries',
  // Those of a launch configuration and of a task, which launch.json names them by.
  'src/model/tasks/handlerConfiguration.ts Debug Webhook Handler',
  'src/model/tasks/handlerConfiguration.ts runhook: listen',
  // The word of the line that is a link; the grammar looks for it.
  'src/editor/listener/output/deliveryLinks.ts Replay',
  // What is sent: a body, header names, a content type.
  'src/editor/listener/deliverySender.ts A test delivery from Runhook',
  'src/listener/intake/answer.ts Allow',
  'src/listener/intake/answer.ts Allow: POST\r',
  'src/listener/intake/answer.ts HTTP/1.1 {} {}\r',
  'src/listener/intake/answer.ts text/plain; charset=utf-8',
  'src/webhooks/requests/copiedRequest.ts Accept',
  'src/webhooks/requests/copiedRequest.ts Expect',
  'src/webhooks/deliveries/sendRequest.ts Host',
  'src/webhooks/deliveries/replay.ts Service',
  // What is kept as the error of an attempt, as those of Node are: `missingAnswerText` says it in the user's language.
  'src/model/deliveries/delivery.ts the listener ended before your app answered',
  'src/model/deliveries/delivery.ts this address is that of the listener itself',
  // A command to copy, the name of a variable of the system.
  'src/editor/tunnels/codespace.ts gh codespace ports visibility {}:{} --codespace {}',
  'src/client/program/findProgram.ts Path',
  // For a language model: what it is told about a tool is in English too.
  'src/editor/agents/toolValues.ts {}… (cut here, after {} characters)',
  // For the log.
  'src/model/service/webhookAttempt.ts Webhook of run {}, attempt {} of {}: {}; {}.',
  'src/editor/listener/listener.ts Breaking off a replay',
  'src/editor/listener/listener.ts Leaving the listener',
  'src/editor/listener/listener.ts Starting the listener again',
  'src/model/processes/socketRpc.ts The connection to the listener program has ended.',
  'src/editor/sandbox/sandbox.ts exit code {}',
  // Context values for `when` clauses.
  'src/editor/projects/accountRows.ts key known',
  // The frame of a page, without a word in it.
  'src/editor/kit/pagePanel.ts <!DOCTYPE html>',
  // A header whose value is replaced by a variable of the shell.
  'src/editor/appSettings/settingsForm.ts Bearer token',
  // Only a page that is not the form sees it.
  'src/editor/kit/pagePanel.ts The request does not fit the protocol.',
  // What programs sign by mistake.
  'src/webhooks/diagnosis/bodyChanges.ts [object Object]',
  'src/webhooks/diagnosis/bodyChanges.ts [object Promise]',
  'src/webhooks/diagnosis/bodyChanges.ts [object ArrayBuffer]',
  'src/webhooks/diagnosis/jsonForms.ts True',
  'src/webhooks/diagnosis/jsonForms.ts False',
  'src/webhooks/diagnosis/jsonForms.ts None',
  // What is expected of an answer, as files of fixtures say it.
  'src/suite/fixture/savedFixture.ts 2xx or 4xx',
  // A code of the editor's file systems.
  'src/model/service/failureReason.ts Unavailable',
]);

/** Files whose words are names, or are written to a file that is English throughout. */
const untranslatedFiles = [
  /\/(verificationCode|appSettingsSchema|installLine|copyAs|fixtureSchema|junit)\.ts /,
  // The titles are translated in package.nls.*.json; the documentation of arguments is English.
  /^src\/contract\/commands\.ts /,
  // The name of a variant, which files of fixtures say.
  /^src\/suite\/run\/\w+\.ts as it is$/,
  // SQL, and the log of the listener program.
  /^src\/listener\/(store|program|tunnels)\/(attemptTable|database|filterConditions|tunnel|delivery(Query|Row|Table)|folderLock|lifetime|migrations|repeatTable|retention|soundness|storeFile|storeReader)\.ts /,
];

describe('the messages of the sources', () => {
  let sources: ts.SourceFile[];
  let checker: ts.TypeChecker;
  before('reads the sources', () => {
    ({ sources, checker } = sourceProgram());
  });

  it('are those of the bundles: npm run messages', () => {
    assert.deepEqual(readBundle(), sourceBundle(collectMessages(sources, checker)));
  });

  it('are all that a person reads: no raw string is left', () => {
    // The sandbox is the service: what it answers, no editor translates. The command line speaks English.
    const ours = sources.filter(({ fileName }) => !/\/src\/(?:sandbox|commandLine)\//.test(fileName));
    const raw = untranslatedStrings(ours, checker).filter(
      (one) => !untranslated.has(one) && !untranslatedFiles.some((files) => files.test(one)),
    );
    assert.deepEqual(raw, [], 'translate them, or name them above with the reason why not');
  });
});

describe('looking for messages', () => {
  const declarations = `
    declare function t(message: string, ...args: (string | number)[]): string;
    declare const log: { info(text: string): void };
    declare function show(text: string): void;
    declare function html(text: TemplateStringsArray): void;
    class UserError extends Error {}
  `;
  const look = (code: string) => {
    const { source, checker } = compileSample(declarations + code);
    return {
      messages: () => collectMessages([source], checker),
      raw: () => untranslatedStrings([source], checker),
    };
  };

  it('finds both of a choice', () => {
    const code = '(n: number) => t(n ? "One {0}" : "No more", n);';
    assert.deepEqual(look(code).messages(), ['No more', 'One {0}']);
  });

  it('refuses one that is not known before the program runs', () => {
    assert.throws(() => look('(name: string) => t(`Hello ${name}`);').messages(), /literal/);
    assert.throws(() => look('(name: string) => t(name);').messages(), /literal/);
  });

  it('refuses one that is translated before the language is set', () => {
    for (const code of ['show(t("Reset"));', 'class A { static label = t("Reset"); }']) {
      assert.throws(() => look(code).messages(), /the language is not set/, code);
    }
    for (const code of ['() => show(t("Reset"));', 'class A { label = t("Reset"); }']) {
      assert.deepEqual(look(code).messages(), ['Reset'], code);
    }
  });

  const raw: [string, string][] = [
    ['a text', 'show("Nothing was sent.");'],
    ['a text with a value in it', 'declare const n: number; show(`${n} keys expire`);'],
    ['a single word', 'show("Cancel");'],
    ['an error for the user', 'throw new UserError("The port is taken.");'],
    ['a text that is translated by another name than t', 'const say = t; () => say("Nothing was sent.");'],
    ['a label', 'show(JSON.stringify({ label: "Open the log" }));'],
    ['a text in the markup of a page', 'html`<p class="one two">Nothing was sent.</p>`;'],
    ['an attribute in the markup of a page', 'html`<a class="one two" title="Open the log"></a>`;'],
  ];
  for (const [what, code] of raw) {
    it(`finds ${what} that is not translated`, () => assert.equal(look(code).raw().length, 1));
  }

  it('leaves alone what nobody reads in the editor', () => {
    const code = `
      log.info('The port is taken.');
      show(t('Nothing was sent.'));
      show('runhook.port');
      type Verdict = 'not signed at all';
      throw new Error('This cannot be.');
    `;
    assert.deepEqual(look(code).raw(), []);
  });
});
