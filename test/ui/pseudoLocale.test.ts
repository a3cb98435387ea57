import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { sandboxFaults } from '../../src/contract/values.ts';
import { fields } from '../../src/service/settings/appSettings.ts';
import { pageFrame } from '../support/workbench/pageFrame.ts';
import { SettingsForm } from '../support/workbench/settingsForm.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { pseudoLocale, pseudoText, readBundle, readManifestBundle } from '../../scripts/l10n/bundles.ts';

/** The part of the DOM's `Node` used here; see `ScreenElement`. */
interface ShownNode {
  readonly nodeType: number;
  readonly localName?: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<ShownNode>;
  readonly shadowRoot?: ShownNode | null;
  getAttribute?(name: string): string | null;
  checkVisibility?(): boolean;
}

/** All texts that a user sees or a screen reader reads: also in shadow roots, tooltips and ARIA attributes. */
async function visibleTexts(shown: Locator | Frame): Promise<string[]> {
  const roots = 'goto' in shown ? shown.locator('body') : shown;
  const texts = await roots.evaluateAll((elements: readonly ShownNode[]) => {
    const found: string[] = [];
    const visit = (node: ShownNode): void => {
      if (node.nodeType === 3) found.push(node.textContent ?? '');
      if (node.localName === 'style' || node.localName === 'script') return;
      if (node.nodeType === 1 && node.checkVisibility?.() === false) return;
      for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) {
        found.push(node.getAttribute?.(name) ?? '');
      }
      if (node.shadowRoot) visit(node.shadowRoot);
      for (const child of node.childNodes) visit(child);
    };
    for (const element of elements) visit(element);
    return found;
  });
  return [
    ...new Set(texts.map((text) => text.replaceAll('\u00a0', ' ').trim()).filter((text) => text !== '')),
  ];
}

/** What is the same in every language: data, names, and what goes over the wire. */
const untranslated: readonly RegExp[] = [
  // Files and programs.
  /[\w./-]+\.json\b|\/bin\/sh/g,
  // What VS Code itself says, whose own language pack is not here.
  / (Section|actions)$|, has actions$|^Actions for |^Back \(.*\)$|^(Welcome|Progress|Collapse All|More Actions...|Cancel)$/g,
  / - ⟦.*|\(Press 'Enter'.*|^\d+ Results$|^(Control|Shift|Alt)\+.*|Configure Keybinding|^Toggle all checkboxes$|^\d+ Selected$|^OK$/g,
  /^⟦? ?[\w-]+(?= {2})/g,
  /\bRunhook( Deliveries)?\b/g,
  // What the sandbox names its things.
  /\bp-sandbox\b|\bsa-(ci|preview|production)\b|\brun-[\da-f-]+…?/g,
  /\b(Sandbox|ci|dev|preview|staging|production|prod|this-editor|deploy-bot|laptop|old-laptop|nightly)\b/g,
  /\b(app-)?(hello|echo|sleep|fail|stream)\b/g,
  // Addresses, units, status lines, JSON, the values of the wire.
  /\bhttps?:\/\/\S*|\blocalhost(:\d+\S*)?/g,
  /\b[\da-f]{8}-[\da-f-]{27}\b|\bv1,[\da-f]{64}/g,
  /\b(KB|MB|ms|B|s|UTC)\b/g,
  // The reason phrase is HTTP's own.
  /^\d{3} OK(?= · )/g,
  /\b(GET|POST|PATCH)\b( \/\S+)?|^\/v2\/\S+|"[^"]*"|'[^']*'/g,
  new RegExp(`\\b(${fields.map(({ name }) => name).join('|')})\\b`, 'g'),
  // Headers of an answer, fields of a key as the service names them; languages with their frameworks.
  /^[\w-]+: .*$|\b(PHP|TypeScript|JavaScript)\b/gm,
  // What is typed to find deliveries.
  /\b(app|run|verdict|status|header|since|made):|\b(failed|refused)\b/g,
  // What the sandbox calls its faults.
  new RegExp(`^(${sandboxFaults.join('|')})(?=$|, )`, 'g'),
];

/** Whether a text of a workbench in the pseudo-locale has a part that nobody has translated. */
function isRaw(text: string): boolean {
  return /[A-Za-z]{2,}/.test(untranslated.reduce((rest, known) => rest.replaceAll(known, ''), text));
}

const manifest = readManifestBundle();
const messages = readBundle();

/** A text of the manifest as it is shown. */
const shown = (key: string): string => pseudoText(manifest[key] ?? assert.fail(`There is no text ${key}.`));
/** A message as it is shown. */
const said = (message: string): string =>
  pseudoText(messages[message] ?? assert.fail(`There is no message ${message}.`));
const title = (command: string): string => `Runhook: ${shown(`command.${command}`)}`;

describe('in the pseudo-locale', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  const ui = useWorkbench({
    language: pseudoLocale,
    settings: {
      'breadcrumbs.enabled': false,
      'editor.minimap.enabled': false,
      // The rest of an address on a line of its own would be no address any more.
      '[runhook-response]': { 'editor.wordWrap': 'off' },
      // Never run: the question about it is declined.
      'runhook.tunnel.command': '/bin/sh',
      'runhook.tunnel.provider': 'cloudflared',
    },
    size: { width: 1600, height: 900 },
  });
  const projects = () => ui.current.tree(shown('view.projects'));
  const deliveries = () => ui.current.tree(shown('view.deliveries'));
  const quickInput = () => ui.current.page.locator('.quick-input-widget:visible');
  const dialog = () => ui.current.page.locator('.monaco-dialog-box');
  /** Waits until every text is translated: what is drawn anew may be gone, or empty, for a moment. */
  async function check(texts: () => Promise<readonly string[]>): Promise<void> {
    await waitFor('texts that are all translated', async () => {
      const read = await texts();
      assert.match(read.join('\n'), /⟦/);
      assert.deepEqual(read.filter(isRaw), [], 'translate them, or say above why they stay as they are');
      return true;
    });
  }
  async function closeQuickInput(): Promise<void> {
    await ui.current.page.keyboard.press('Escape');
    await quickInput().waitFor({ state: 'hidden' });
  }
  const look = (what: Locator | Frame): Promise<void> => check(() => visibleTexts(what));
  /** Finds the page anew for each look: an earlier explanation goes once its tab is hidden. */
  const lookAtExplanation = (): Promise<void> =>
    check(async () => visibleTexts(await pageFrame(ui.current, 'explanation')));

  it('shows empty views', async () => {
    await look(await projects().open());
    await look(await deliveries().open());
  });

  it('shows the projects', async () => {
    await ui.current.runCommand(title('startSandbox'));
    await projects().row(said('Sandbox'));
    await projects().expand('ci');
    await projects().row('nightly');
    await look(await projects().open());
    await ui.current.picture('pseudo tree');
  });

  it('shows the menu of an app', async () => {
    await projects().contextMenu('hello', () => look(ui.current.page.locator('.monaco-menu')));
  });

  it('shows the form', async () => {
    const form = new SettingsForm(ui.current);
    const field = form.locator('[data-field="gpuCount"]');
    await projects().clickAction('hello', shown('command.editAppSettings'), field);
    await look(await form.frame());
    await form.enter('gpuCount', '99');
    await form.enter('memory', 'much');
    await form.enter('maxReplicaCount', '1');
    await form.enter('minReplicaCount', '2');
    await look(await form.frame());
    await ui.current.picture('pseudo form');
    await form.enter('gpuCount', '1');
    await form.enter('memory', '1');
    await form.clickApply();
    await form.locator('[data-status].done').waitFor();
    await look(await form.frame());
    const history = quickInput().getByText(said('History of {0}').replace('{0}', 'hello'));
    await ui.current.click(form.locator('[data-action="showHistory"]'), history);
    await look(quickInput());
    await closeQuickInput();
  });

  it('runs an app', async () => {
    const withWebhook = ui.current.quickPick(said('Run with Webhook'));
    await projects().pickFromContextMenu('echo', shown('command.runApp'), withWebhook);
    await look(quickInput());
    await ui.current.click(withWebhook, async () => !(await withWebhook.isVisible()));
    await ui.current.editorLine(new RegExp(`^200 OK · .* · ✓ ${said('verified')}`));
    await waitFor('the delivery', async () => (await deliveries().rows()).length > 0);
    await check(() => ui.current.editorLines());
    await look(ui.current.page.locator('.part.editor .codelens-decoration'));
    await look(await deliveries().open());
    await look(await projects().open());
    await ui.current.picture('pseudo run');
  });

  it('shows the output and the status bar', async () => {
    await ui.current.runCommand(title('showOutput'));
    await ui.current.outputLine(/✓/);
    const { 0: url } = /http:\/\/127\S+/.exec(await ui.current.outputLine(/127\.0\.0\.1/)) ?? assert.fail();
    for (const [id, signature] of ['not a signature', `v1,${'0'.repeat(64)}`].entries()) {
      const headers = {
        'X-Request-Id': String(id),
        'X-Service-Webhook-Timestamp': Math.floor(Date.now() / 1000).toString(),
        'X-Service-Webhook-Signature': signature,
      };
      assert.equal((await fetch(url, { method: 'POST', headers, body: '{}' })).status, 401);
    }
    await waitFor('both to be refused', async () => {
      return (await ui.current.outputLines()).filter((line) => line.includes('✗')).length === 2;
    });
    await check(() => ui.current.outputLines());
    await look(await deliveries().open());
    await look(ui.current.page.locator('.part.statusbar .statusbar-item[id^="runhook"]'));
    const item = ui.current.page.locator('.part.statusbar .statusbar-item[id^="runhook"]').first();
    await ui.current.click(item, quickInput().getByText(pseudoText('Copy URL').slice(1, -1)));
    await look(quickInput());
    await closeQuickInput();
    await ui.current.picture('pseudo output');
  });

  /** The commands of views that are in no palette, by what they are reached by. */
  const inViews: Record<string, () => Promise<void>> = {
    filterProjects: () => projects().pickFromTitleMenu(shown('command.filterProjects'), quickInput()),
    filterDeliveries: () => deliveries().clickTitleAction(shown('command.filterDeliveries'), quickInput()),
    askToClearDeliveries: () =>
      deliveries().clickTitleAction(shown('command.askToClearDeliveries'), dialog()),
    replayDeliveries: () => deliveries().pickFromTitleMenu(shown('command.replayDeliveries'), quickInput()),
    insertVerificationCode: () =>
      deliveries().pickFromTitleMenu(shown('command.insertVerificationCode'), quickInput()),
    deleteToken: () => projects().pickFromContextMenu('ci', shown('command.deleteToken'), dialog()),
  };
  const runs = (command: string): Promise<void> =>
    inViews[command]?.() ?? ui.current.runCommand(title(command));

  /** The question of a command, and what is said of an answer that does not do. @param account asked for before it */
  async function lookAtQuestion(
    command: string,
    message: string,
    wrong?: string,
    account?: string,
  ): Promise<void> {
    await runs(command);
    const question = quickInput().getByText(said(message).split('{0}')[0]!).first();
    if (account !== undefined) await ui.current.click(ui.current.quickPick(account), question);
    await question.waitFor();
    if (wrong !== undefined) {
      await ui.current.quickInput().fill(wrong);
      await quickInput().locator('.quick-input-message', { hasText: '⟦' }).waitFor();
    }
    await look(quickInput());
    await closeQuickInput();
  }

  const questions: readonly (readonly [
    command: string,
    message: string,
    wrong?: string,
    account?: string,
  ])[] = [
    [
      'setToken',
      'Token of the service account {0}; "Copy New Sandbox Token" in its menu makes one',
      'no token',
      'ci',
    ],
    ['filterProjects', 'Filter Keys'],
    ['filterDeliveries', 'Filter Deliveries'],
    ['replayDeliveries', 'All that failed in your handler'],
    ['insertVerificationCode', 'Insert Verification Code'],
    ['setNextResponses', 'What the listener returns next'],
    ['setSandboxFaults', 'Which faults should the sandbox simulate?'],
    [
      'setWebhookSecret',
      'The secret that the service signs webhooks with',
      undefined,
      said('Default secret'),
    ],
  ];
  for (const question of questions) {
    it(`asks by ${question[0]}`, () => lookAtQuestion(...question));
  }

  it('asks which app, and which of its payloads', async () => {
    await lookAtQuestion('runApp', 'Which app?');
    // The document takes the focus when it has opened, and with it the quick input that is open then.
    const group = ui.current.page.locator('.editor-group-container.active');
    const editor = group.filter({ hasText: 'echo.payload.json' }).locator('.monaco-editor.focused');
    await projects().pickFromContextMenu('echo', shown('command.openPayload'), editor);
    const lens = group.locator('.codelens-decoration a', { hasText: said('Payloads…') });
    await ui.current.click(lens, quickInput().getByText(said('New Payload…')));
    await look(quickInput());
    await closeQuickInput();
  });

  it('asks where a delivery is to be replayed to', async () => {
    await ui.current.runCommand(title('replayDeliveryAs'));
    const delivery = quickInput().locator('.monaco-list-row', { hasText: 'echo' });
    const elsewhere = ui.current.quickPick(said('To Another Address…'));
    await ui.current.click(delivery, elsewhere);
    await look(quickInput());
    await ui.current.click(elsewhere, quickInput().getByText(said('The address to send the delivery to')));
    await ui.current.quickInput().fill('nowhere');
    await quickInput().getByText('nowhere').waitFor();
    await look(quickInput());
    await closeQuickInput();
  });

  it('saves a fixture, and asks which to send', async () => {
    const rows = await deliveries().rows();
    const { label } = rows.find((row) => row.label.startsWith('echo')) ?? assert.fail('no delivery of echo');
    const tab = ui.current.page.locator('.tab.active', { hasText: /^echo.*\.delivery\.json$/ });
    const asked = said('Path of the fixture within the workspace. Its folder is remembered.');
    const save = shown('command.saveDeliveryAsFixture');
    await deliveries().pickFromContextMenu(label, save, quickInput().getByText(asked));
    await look(quickInput());
    await ui.current.quickInput().press('Enter');
    await tab.waitFor();
    await lookAtQuestion('sendFixture', 'Send Fixture');
  });

  it('verifies a signature that is pasted', async () => {
    await ui.current.runCommand(title('verifySignature'));
    await ui.current.editorLine(
      new RegExp(said('# Paste the headers of a webhook here, then an empty line, then its body.')),
    );
    await check(() => ui.current.editorLines());
    await ui.current.focusEditor();
    await ui.current.page.keyboard.press('Control+A');
    const signature = `v1,${'0'.repeat(64)}`;
    await ui.current.page.keyboard.insertText(
      `X-Request-Id: 1\nX-Service-Webhook-Timestamp: 1\nX-Service-Webhook-Signature: ${signature}\n\n{}`,
    );
    await ui.current.runCommand(title('verifySignature'));
    await quickInput().getByText(said('Default secret')).waitFor();
    await look(quickInput());
    await ui.current.quickInput().press('Enter');
    await lookAtExplanation();
  });

  for (const command of ['openTunnel', 'deleteToken', 'askToClearDeliveries']) {
    it(`asks before ${command}`, async () => {
      await runs(command);
      await look(dialog().locator('.dialog-message-container, .dialog-buttons'));
      await ui.current.page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'hidden' });
    });
  }

  it('asks and tells', async () => {
    await ui.current.runCommand(title('addProject'));
    await quickInput().getByText(said('Add Project')).waitFor();
    await look(quickInput());
    await closeQuickInput();
    await ui.current.runCommand(title('explainDelivery'));
    await quickInput().locator('.monaco-list-row', { hasText: 'echo' }).waitFor();
    await look(quickInput());
    await ui.current.quickInput().press('Enter');
    await lookAtExplanation();
    await ui.current.picture('pseudo explain');
    await ui.current.runCommand(title('reset'));
    await look(dialog().locator('.dialog-message-container, .dialog-buttons'));
    await ui.current.picture('pseudo reset');
    await ui.current.page.keyboard.press('Escape');
  });
});
