import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandId, commandIds } from '../../../../src/contract/commands.ts';
import { root } from '../../../../scripts/checkout.ts';
import {
  configurationCall,
  type ConfigurationCall,
  withoutTextProblem,
} from '../../../../src/editor/kit/configurationCall.ts';

const id = commandIds.applySettingsFile;
const variable = `\${command:${id}}`;
const none = () => [];
const launch = { type: 'node', request: 'launch', name: 'App', program: '${file}', env: { A: variable } };
const input = { id: 'apply', type: 'command', command: id, args: { file: 'a.runhook.json' } };

describe('a command that VS Code calls for tasks.json and launch.json', () => {
  const cases: [string, unknown[], unknown[], ConfigurationCall | undefined][] = [
    ['with the launch configuration', [launch], [], 'variable'],
    ['with the variables of a task', [['${workspaceFolder}', variable]], [], 'variable'],
    ['with the arguments of an input', [{ file: 'a.runhook.json' }], [input], 'input'],
    ['for an input without arguments', [undefined], [{ ...input, args: undefined }], 'input'],
    ['by somebody else, with other arguments', [{ file: 'b.runhook.json' }], [input], undefined],
    ['by the palette, which hands over nothing', [], [{ ...input, args: undefined }], undefined],
    ['where an input names another command', [input.args], [{ ...input, command: 'b' }], undefined],
    ['where an input asks the user', [input.args], [{ ...input, type: 'promptString' }], undefined],
    ['where no input is any', [input.args], [undefined, null, 7, []], undefined],
    ['by a launch configuration of another command', [{ ...launch, env: {} }], [], undefined],
    ['by one with a body that holds the variable', [{ body: variable }], [], undefined],
    ['by a menu, which hands over a selection', [[variable], [variable]], [], undefined],
  ];
  for (const [how, given, inputs, call] of cases) {
    it(`is ${call ?? 'not'} told: ${how}`, () =>
      assert.equal(
        configurationCall(id, given, () => inputs),
        call,
      ));
  }

  it('is not the one whose name begins like another', () => {
    const longer = { ...launch, env: { A: '${command:runhook.runAppTwice}' } };
    assert.equal(configurationCall(commandIds.runApp, [longer], none), undefined);
  });

  it('is known by what it gives, as the page of the commands has it', () => {
    const page = readFileSync(join(root, 'docs/commands.md'), 'utf8');
    const sections = [...page.matchAll(/^### (runhook\.\w+)$([^]*?)(?=^##|(?![^]))/gm)];
    assert.ok(sections.length > 40);
    for (const [, name, section = ''] of sections) {
      const id = name as CommandId;
      const gives = /^Gives `(.*?)`/m.exec(section)?.[1] ?? '';
      const isText = /^string\b/.test(gives);
      const refused = [withoutTextProblem(id, 'variable'), withoutTextProblem(id, 'input')].map(Boolean);
      assert.deepEqual(refused, [!isText, !isText && gives !== ''], `${id} gives ${gives}`);
    }
  });

  it('is refused where it gives no text, and says what to use', () => {
    const problem = (...[of, call]: Parameters<typeof withoutTextProblem>) => withoutTextProblem(of, call);
    assert.match(
      problem(commandIds.startListener, 'variable') ?? '',
      /Use \$\{command:runhook\.listenerUrl\}/,
    );
    assert.match(problem(commandIds.startListener, 'input') ?? '', /Nothing was done/);
    assert.match(
      problem(commandIds.copyWebhookSecret, 'variable') ?? '',
      /\{command:runhook\.webhookSecret\}/,
    );
    assert.match(problem(id, 'input') ?? '', /a task of the type "runhook" instead, with "task": "apply"/);
    assert.match(problem(commandIds.showOutput, 'variable') ?? '', /keybinding/);
  });

  it('runs where it gives a text, and as an input where it gives nothing', () => {
    for (const call of ['variable', 'input'] as const) {
      for (const one of [commandIds.listenerUrl, commandIds.webhookSecret, commandIds.copyDeliveryAsCurl]) {
        assert.equal(withoutTextProblem(one, call), undefined);
      }
    }
    assert.equal(withoutTextProblem(commandIds.showOutput, 'input'), undefined);
  });
});
