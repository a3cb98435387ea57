import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type CommandId, commandIds } from '../../src/contract/commands.ts';
import { contextIds, schemes } from '../../src/editor/kit/ids.ts';
import { type Context, evaluateWhen } from '../support/editor/whenClause.ts';

interface Entry {
  command: CommandId;
  when: string;
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  contributes: {
    commands: { command: CommandId }[];
    menus: Record<'commandPalette' | 'editor/title' | 'editor/context', (Entry & { group: string })[]>;
  };
};
const { commands, menus } = manifest.contributes;
const entries = menus.commandPalette;

/** What the palette shows of Runhook. */
function shown(context: Context): CommandId[] {
  const ids = commands.map(({ command }) => command);
  return ids.filter((id) =>
    entries.every(({ command, when }) => command !== id || evaluateWhen(when, context)),
  );
}

const flags = [
  contextIds.projectAdded,
  contextIds.sandboxRunning,
  contextIds.listenerRunning,
  contextIds.tunnelOpen,
  contextIds.runActive,
  'config.runhook.listener.publicUrl',
];
const editors: Context[] = [
  {},
  { editorLangId: 'json', resourceFilename: 'package.json' },
  { editorLangId: 'json', resourceFilename: 'default.payload.json' },
  { editorLangId: 'json', resourceFilename: 'hello.runhook.json' },
  { editorLangId: 'json', resourceScheme: schemes.delivery },
];

/** Every combination of the keys, with each kind of document in front, with a folder and without one. */
function* states(): Generator<Context> {
  for (let bits = 0; bits < 2 ** flags.length; bits += 1) {
    const set = Object.fromEntries(flags.map((flag, index) => [flag, (bits & (1 << index)) !== 0]));
    for (const editor of editors) {
      for (const workspaceFolderCount of [0, 1]) yield { ...set, ...editor, workspaceFolderCount };
    }
  }
}

describe('the command palette', () => {
  it('has at most 30 entries, of which some are shown at a time', () => {
    const hidden = entries.filter(({ when }) => when === 'false').length;
    assert.ok(commands.length - hidden <= 30, `${commands.length - hidden} entries`);
  });

  const pairs = [
    [commandIds.startListener, commandIds.stopListener],
    [commandIds.startSandbox, commandIds.stopSandbox],
    [commandIds.openTunnel, commandIds.closeTunnel],
  ] as const;
  for (const [start, stop] of pairs) {
    it(`has either ${start} or ${stop}`, () => {
      for (const state of states()) {
        const both = shown(state).filter((id) => id === start || id === stop);
        // An address of the user's own needs no tunnel.
        const isNeedless =
          start === commandIds.openTunnel &&
          state['config.runhook.listener.publicUrl'] === true &&
          state[contextIds.tunnelOpen] === false;
        assert.equal(both.length, isNeedless ? 0 : 1, JSON.stringify(state));
      }
    });
  }

  it('has Cancel Run only while there is a run to cancel', () => {
    for (const state of states()) {
      assert.equal(shown(state).includes(commandIds.cancelRun), state[contextIds.runActive]);
    }
  });

  it('has nothing for projects before there is one', () => {
    const atFirst = shown({ workspaceFolderCount: 1 });
    const ofProjects = [commandIds.setToken, commandIds.runApp, commandIds.editAppSettings];
    assert.deepEqual(
      ofProjects.filter((id) => atFirst.includes(id)),
      [],
    );
    assert.ok(atFirst.includes(commandIds.addProject));
    assert.ok(atFirst.includes(commandIds.startSandbox));
    assert.ok(atFirst.includes(commandIds.insertVerificationCode));
  });
});

describe('the menus of a document', () => {
  const offered = (menu: 'editor/title' | 'editor/context', context: Context): CommandId[] =>
    menus[menu]
      .filter(({ when }) => evaluateWhen(when, context))
      .sort((a, b) => place(a).localeCompare(place(b)))
      .map(({ command }) => command);
  /** The editor puts the group of the buttons first. */
  const place = ({ group }: { group: string }): string => group.replace(/^navigation/, '0');
  const document = (part: string): Context => ({
    resourceScheme: schemes.delivery,
    resourcePath: `/runhook/d-1/${part}/echo 2:13:22`,
    resourceFilename: 'echo 2:13:22',
    resourceLangId: 'json',
  });

  it('have what can be done with a delivery, and do not run an app with it', () => {
    const all = [
      commandIds.replayDelivery,
      commandIds.editDelivery,
      commandIds.explainDelivery,
      commandIds.openAppAnswer,
      commandIds.compareWithPrevious,
      commandIds.copyDeliveryAsCurl,
      commandIds.showTimeline,
      commandIds.replayDeliveryAs,
    ];
    const { openDeliveryBody, debugDelivery, openRunAnswer } = commandIds;
    const ofTitle = [...all, openDeliveryBody, debugDelivery, openRunAnswer];
    const { deliveriesOfRuns, handedDeliveries } = contextIds;
    const whole = {
      ...document('delivery'),
      resource: 'd',
      [deliveriesOfRuns]: ['d'],
      [handedDeliveries]: ['d'],
    };
    assert.deepEqual(offered('editor/title', whole), ofTitle);
    assert.deepEqual(offered('editor/context', whole), [...all, openRunAnswer]);
    // As its row: neither a run nor a response of the handler where there is none.
    const alone = { ...whole, [deliveriesOfRuns]: ['other'], [handedDeliveries]: ['other'] };
    const less = all.filter((id) => id !== commandIds.openAppAnswer);
    assert.deepEqual(offered('editor/title', alone), [...less, openDeliveryBody, debugDelivery]);
    assert.deepEqual(offered('editor/context', alone), less);
    for (const state of states()) {
      if (state['resourceScheme'] === schemes.delivery) assert.ok(!shown(state).includes(commandIds.runFile));
    }
  });

  it('send a draft, and do not run an app with it', () => {
    const all = [commandIds.sendDraftSigned, commandIds.sendDraftUnsigned, commandIds.saveDraftAsFixture];
    assert.deepEqual(offered('editor/title', document('draft')), all);
    assert.deepEqual(offered('editor/context', document('draft')), all);
  });

  it('have what can be done with a response of the service', () => {
    const response = { resourceScheme: schemes.answer, resourcePath: '/runhook/response/echo 2:13:22' };
    const { runAgain, openRunDelivery, compareWithPreviousRun, saveAnswerAs, deliverHere } = commandIds;
    const first = [runAgain, compareWithPreviousRun, saveAnswerAs, deliverHere];
    assert.deepEqual(offered('editor/title', response), [...first, openRunDelivery]);
    const all = [runAgain, openRunDelivery, compareWithPreviousRun, saveAnswerAs];
    assert.deepEqual(offered('editor/context', response), all);
    const removed = { ...response, resource: 'r', [contextIds.removedResponses]: ['r'] };
    assert.deepEqual(offered('editor/title', removed), []);
    assert.deepEqual(offered('editor/context', removed), []);
  });

  it('have nothing of it where something else is shown', () => {
    for (const context of [document('compared'), { ...document('delivery'), resourceScheme: 'untitled' }]) {
      assert.deepEqual(offered('editor/title', context), []);
    }
  });

  it('run an app with any other JSON', () => {
    const file = { resourceScheme: 'file', resourceLangId: 'json', resourcePath: '/w/delivery/a.json' };
    assert.deepEqual(offered('editor/context', file), [commandIds.runFile]);
  });
});

describe('whenHolds', () => {
  const cases: [clause: string, context: Context, holds: boolean][] = [
    ['a && !b', { a: true }, true],
    ['a && !b', { a: true, b: true }, false],
    ['a || b && c', { a: true }, true],
    ['(a || b) && c', { a: true }, false],
    ['lang == json', { lang: 'json' }, true],
    ['lang != json && a', { lang: 'json', a: true }, false],
    ['lang != json && a', { a: true }, true],
    ['count > 0', { count: 0 }, false],
    ['name =~ /\\.json$/', { name: 'a.json' }, true],
    ['false', {}, false],
  ];
  for (const [clause, context, holds] of cases) {
    it(`${clause}, where ${JSON.stringify(context)}`, () =>
      assert.equal(evaluateWhen(clause, context), holds));
  }

  it('refuses what it cannot read', () => {
    assert.throws(() => evaluateWhen('a < b', {}), /Cannot read/);
    assert.throws(() => evaluateWhen('(a', {}), /bracket/);
  });
});
