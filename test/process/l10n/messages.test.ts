import assert from 'node:assert/strict';
import ts from 'typescript';
import { readBundle, sourceBundle } from '../../../scripts/l10n/bundles.ts';
import { collectMessages, isTranslation, locationOf, sourceProgram } from '../../../scripts/l10n/messages.ts';

/** Matches text for people: two words with a space between them, or one capitalized word. */
const words = /\p{L}{2,}[,:;]? \(?\p{L}{2,}|^\p{Lu}\p{Ll}+(…|\.)?$/u;

/**
 * Texts in the sources that look like UI texts and are not translated, as `file text`. Excludes texts that users do not
 * see: arguments of the log, messages of internal errors, types, and comparisons.
 */
function untranslatedStrings(sources: readonly ts.SourceFile[], checker: ts.TypeChecker): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isInvisible(node, checker)) return;
    for (const text of textsOf(node)) {
      if (text === 'Runhook' || !words.test(text)) continue;
      const [firstLine = ''] = text.split('\n');
      found.push(`${locationOf(node).replace(/:\d+$/, '')} ${firstLine}`);
    }
    ts.forEachChild(node, visit);
  };
  for (const source of sources) visit(source);
  return found;
}

function textsOf(node: ts.Node): string[] {
  const text = textOf(node);
  if (text === undefined) return [];
  const isMarkup =
    ts.isTaggedTemplateExpression(node.parent) && /^(html|svg)$/.test(node.parent.tag.getText());
  return isMarkup ? visibleTexts(text) : [text];
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}');
}

/** The visible texts in HTML: between tags, and in some attributes. */
function visibleTexts(markup: string): string[] {
  const attributes = [...markup.matchAll(/\b(?:label|title|placeholder)="([^"]*)"/g)];
  return [...markup.split(/<[^>]*>/), ...attributes.map(([, value = '']) => value)].map((text) =>
    text.trim(),
  );
}

/** Whether no text below this node is visible to users, or it is translated. */
function isInvisible(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isStringLiteral(node) && ts.isBinaryExpression(node.parent)) return isComparison(node.parent);
  if (ts.isNewExpression(node)) return /^(Error|TypeError|RangeError)$/.test(node.expression.getText());
  if (!ts.isCallExpression(node)) return false;
  return isTranslation(node, checker) || isLog(node);
}

function isComparison({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return (
    kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken
  );
}

/** `this.#log(…)`, `log.info(…)`, `this.#log.warn(…)`, `options.log.error(…)` */
function isLog({ expression }: ts.CallExpression): boolean {
  return /\blog(?:\.\w+)?$/.test(expression.getText());
}

const name = '/sample.ts';
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts'],
  strict: true,
  types: [],
};
const host = ts.createCompilerHost(options);
const readLibraryFile = host.getSourceFile.bind(host);

/** The parsed files of TypeScript's standard library. */
const library = new Map<string, ts.SourceFile | undefined>();

/** Creates a TypeScript program from the code of one file. */
function compileSample(code: string): { source: ts.SourceFile; checker: ts.TypeChecker } {
  host.getSourceFile = (file, ...rest) => {
    if (file === name) return ts.createSourceFile(file, code, ts.ScriptTarget.ES2024, true);
    if (!library.has(file)) library.set(file, readLibraryFile(file, ...rest));
    return library.get(file);
  };
  const program = ts.createProgram([name], options, host);
  return { source: program.getSourceFile(name)!, checker: program.getTypeChecker() };
}

/** Words that stay as they are in every language. */
const untranslated = new Set([
  // The name of the channel, which the README and the settings use too.
  'src/editor/listener/output/deliveriesOutput.ts Runhook Deliveries',
  // Those of a launch configuration and of a task, which launch.json names them by.
  'src/editor/kit/handlerConfiguration.ts Debug Webhook Handler',
  'src/editor/kit/handlerConfiguration.ts runhook: listen',
  // The word of the line that is a link; the grammar looks for it.
  'src/editor/listener/output/deliveryLinks.ts Replay',
  // What is sent: a body, header names, a content type.
  'src/editor/listener/deliverySender.ts A test delivery from Runhook',
  'src/listener/intake/senders.ts Allow',
  'src/listener/intake/senders.ts Allow: POST\r',
  'src/listener/intake/senders.ts HTTP/1.1 {} {}\r',
  'src/listener/intake/senders.ts text/plain; charset=utf-8',
  'src/service/requests/copiedRequest.ts Accept',
  'src/service/requests/copiedRequest.ts Expect',
  'src/deliveries/sendRequest.ts Host',
  'src/deliveries/replay.ts Service',
  // What is kept as the error of an attempt, as those of Node are: `missingAnswerText` says it in the user's language.
  'src/contract/delivery.ts the listener ended before your app answered',
  'src/contract/delivery.ts this address is that of the listener itself',
  // A command to copy, the names of a variable and of a folder of the system.
  'src/shared/files/userDataFolder.ts Local',
  'src/editor/tunnels/codespace.ts gh codespace ports visibility {}:{} --codespace {}',
  'src/shared/files/findProgram.ts Path',
  // For a language model: what it is told about a tool is in English too.
  'src/editor/agents/agentDoor.ts There is no tool {}.',
  'src/editor/agents/agentDoor.ts The user has declined. Do not ask for it again by yourself.',
  'src/editor/agents/agentDoor.ts The agent has left.',
  'src/agents/toolValues.ts {}… (cut here, after {} characters)',
  // Each reader of it says that in a sentence of its own.
  'src/listener/program/ownListener.ts The listener cannot listen: {}',
  // For the command line and the sandbox alone, which speak English.
  'src/shared/text/lineWriter.ts 1 line was',
  'src/shared/text/lineWriter.ts {} lines were',
  'src/shared/text/lineWriter.ts … {} not shown, since what was printed before was not read.',
  // For the log.
  'src/service/webhookAttempt.ts Webhook of run {}, attempt {} of {}: {}; {}.',
  'src/editor/listener/listener.ts Breaking off a replay',
  'src/editor/listener/listener.ts Leaving the listener',
  'src/editor/listener/listener.ts Remembering the port',
  'src/editor/listener/listener.ts Remembering the stop',
  'src/editor/listener/listener.ts Starting the listener again',
  'src/listener/tunnels/relayTunnel.ts The relay is {}{}',
  'src/shared/rpc/socketRpc.ts The connection to the listener program has ended.',
  'src/editor/sandbox/sandbox.ts exit code {}',
  // Context values for `when` clauses.
  'src/editor/projects/accountRows.ts key known',
  'src/editor/deliveries/view/deliveriesView.ts listener stopped',
  'src/editor/sandbox/feature.ts sandbox stopped',
  // The frame of a page, without a word in it.
  'src/editor/kit/pagePanel.ts <!DOCTYPE html>',
  // A header whose value is replaced by a variable of the shell.
  'src/editor/appSettings/settingsForm.ts Bearer token',
  // Only a page that is not the form sees it.
  'src/editor/kit/pagePanel.ts The request does not fit the protocol.',
  // What programs sign by mistake.
  'src/service/diagnosis/bodyChanges.ts [object Object]',
  'src/service/diagnosis/bodyChanges.ts [object Promise]',
  'src/service/diagnosis/bodyChanges.ts [object ArrayBuffer]',
  'src/service/diagnosis/jsonForms.ts True',
  'src/service/diagnosis/jsonForms.ts False',
  'src/service/diagnosis/jsonForms.ts None',
  // What is expected of an answer, as files of fixtures say it.
  'src/suite/fixture/savedFixture.ts 2xx or 4xx',
  // Code that a measured process loads.
  'src/suite/coverage/codeMeter.ts ',
  // A code of the editor's file systems.
  'src/shared/http/failureReason.ts Unavailable',
]);

/** Files whose words are names, or are written to a file that is English throughout. */
const untranslatedFiles = [
  /\/(verificationCode|installLine|copyAs|fixtureSchema|junit)\.ts /,
  // The titles are translated in package.nls.*.json; the documentation of arguments is English.
  /^src\/contract\/commands\.ts /,
  // The name of a variant, which files of fixtures say.
  /^src\/suite\/run\/\w+\.ts as it is$/,
  // SQL, and the log of the listener program.
  /^src\/listener\/(store|program|tunnels)\/(attemptTable|database|filterConditions|tunnel|delivery(Query|Row|Table)|folderLock|lifetime|madeTable|migrations|relayedTable|repeatTable|retention|soundness|storeFile|storeReader)\.ts /,
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
    // The sandbox is the service: what it answers, no editor translates. The command line and the relay speak English.
    const ours = sources.filter(
      ({ fileName }) => !/\/src\/(?:service\/sandbox|commandLine|relay)\//.test(fileName),
    );
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
