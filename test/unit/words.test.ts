import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { languages, readBundle, readManifestBundle } from '../../scripts/l10n/bundles.ts';
import { root } from '../../scripts/checkout.ts';
import { allCommands, type CommandName, commandIds } from '../../src/contract/commands.ts';
import { clockTime, timeOfDay } from '../../src/shared/text/durationText.ts';

/** A word that the glossary has another one for, and the texts that may have it all the same. */
interface Banned {
  word: RegExp;
  instead: string;
  allowed?: RegExp;
}

const threeDots: Banned = { word: /\w\.\.\.(?!\w)/, instead: '…' };

/** In each language: who is who, and one word for one thing. */
const banned: Record<string, readonly Banned[]> = {
  en: [
    { word: /\banswer/i, instead: 'response, returned' },
    {
      word: /\b(?:your|local|user's) apps?\b/i,
      instead: 'your handler',
      allowed: /your apps return|hosts your apps|\[run your app\]/,
    },
    { word: /\bhanded (?:on|to|over)\b|\bhand on\b/i, instead: 'forwarded, sent to' },
    {
      word: /(?:token|service|handler|run|you)\b[^.:;,]*\brefuse[sd]?\b/i,
      instead: 'rejected, failed, not allowed',
    },
    { word: /\bthe result (?:is|goes)\b/i, instead: 'response' },
    { word: /\bdoes not fit\b/i, instead: 'is not valid, does not match' },
    { word: /\bnot taken\b|\btook it\b|\bwere taken\b/i, instead: 'accepted' },
    { word: /\bsuccessfully\b|!(?!=)/, instead: 'nothing' },
    threeDots,
  ],
  de: [
    { word: /Geheimnis/, instead: 'Secret' },
    { word: /Nutzlast/, instead: 'Payload' },
    { word: /weiter(?:ge)?reich/i, instead: 'weiterleiten' },
    { word: /Leerraum/, instead: 'Leerzeichen' },
    { word: /Rumpf/, instead: 'Body' },
    { word: /Ausführung(?!sproxy)/, instead: 'Lauf' },
    { word: /Probe\b/, instead: 'Testanfrage' },
    { word: /Request-ID/, instead: 'Anfrage-ID' },
    { word: /Rotation|\bvorig/, instead: 'Wechsel, bisherig, vorherig' },
    { word: /(?:der|die|des|Ihre?r?) Fixture\b/, instead: 'das Fixture' },
    {
      word: /\b(?:Ihre[nr]?|lokalen?) Apps?\b/,
      instead: 'Ihr Handler',
      allowed: /(?:führen Sie|eigenen|was) Ihre[nr]? App/i,
    },
    {
      word: /(?:Token|Handler|Dienst)\b[^.:;,]*\b(?:abgelehnt|abgewiesen|verweigert)/,
      instead: 'nicht akzeptiert, zurückgewiesen',
    },
    { word: /(?<![{\\])"[^"{}\\]+"/, instead: '„…“', allowed: /\{"|"\*"|"(?:POST|2xx|all|2xx or 4xx)"/ },
    threeDots,
  ],
  ja: [
    { word: /応答(?!し|す|せず|で|が)/, instead: 'レスポンス' },
    { word: /(?<!接続)要求(?!する)/, instead: 'リクエスト' },
    { word: /[印]|断念/, instead: 'マーク、再試行を終了' },
    { word: /引き渡/, instead: '転送' },
    { word: /マシン/, instead: 'コンピューター' },
    { word: /ローカルアプリ/, instead: 'ハンドラー' },
    { word: /[ァ-ヶー] [ァ-ヶー]/, instead: 'no space between words in katakana' },
    { word: /[（）？！]/, instead: 'half width' },
    threeDots,
  ],
};

function misused(texts: Iterable<readonly [string, string]>, language: string): string[] {
  return [...texts].flatMap(([where, text]) =>
    banned[language]!.flatMap(({ word, instead, allowed }) => {
      const found = word.exec(text);
      return found === null || allowed?.test(text) === true
        ? []
        : [`${where}: "${found[0]}" in "${text}"; say ${instead}`];
    }),
  );
}

/** What a page says, without what stands in it of other programs: code. */
function sentencesOf(page: string): [string, string][] {
  const text = readFileSync(join(root, page), 'utf8')
    .replaceAll(/```.*?```/gs, '')
    .replaceAll(/`[^`\n]*`/g, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
  // Lines that are wrapped are one sentence; rows of tables and entries of lists are not.
  return text.split(/\n(?=\n|[|#] ?|-{2,}|[*-] )/).map((part) => [page, part.trim().replaceAll(/\s+/g, ' ')]);
}

describe('the words of the glossary', () => {
  for (const language of ['en', ...languages()]) {
    const other = language === 'en' ? undefined : language;
    it(`are those of the messages and of the manifest, ${language}`, () => {
      const texts = [...Object.entries(readBundle(other)), ...Object.entries(readManifestBundle(other))];
      assert.deepEqual(misused(texts, language), []);
    });
  }
});

describe('the words of the documents', () => {
  for (const page of ['README.md', ...globSync('docs/*.md', { cwd: root })]) {
    it(`are those of the glossary, ${page}`, () => {
      assert.deepEqual(misused(sentencesOf(page), 'en'), []);
    });
  }
});

describe('the clock', () => {
  it('has 24 hours wherever a time is shown', () => {
    const wrong = globSync('src/**/*.ts', { cwd: root }).filter((file) =>
      /toLocale\w*String|timeStyle(?![^}]*h23)/.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(wrong, []);
    assert.equal(timeOfDay(new Date(2026, 0, 2, 13, 4, 6)), '13:04:06');
    assert.equal(clockTime(new Date(2026, 0, 2, 1, 4, 6, 7)), '01:04:06.007');
  });
});

describe('"…"', () => {
  it('ends a title in every language or in none', () => {
    const english = { ...readBundle(), ...readManifestBundle() };
    for (const language of languages()) {
      const wrong = Object.entries({ ...readBundle(language), ...readManifestBundle(language) }).filter(
        ([key, text]) => english[key]?.endsWith('…') !== text.endsWith('…'),
      );
      assert.deepEqual(wrong, [], language);
    }
  });

  it('is on a button where it is in the title of its command', () => {
    const titles = new Map(allCommands.map(({ id, title }) => [id, title]));
    const buttons: string[] = [];
    const wrong: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) {
        const id = node.arguments.map(commandOf).find((one) => one !== undefined);
        const label = node.arguments.map(labelOf).find((one) => one !== undefined);
        // With an argument of its own a command may ask for less.
        if (id !== undefined && label !== undefined && node.arguments.length === 2) {
          buttons.push(label);
          const title = titles.get(id);
          if (title !== undefined && title.endsWith('…') !== label.endsWith('…'))
            wrong.push(`${label} runs ${title}`);
        }
      }
      ts.forEachChild(node, visit);
    };
    for (const file of globSync('src/editor/**/*.ts', { cwd: root })) {
      const text = readFileSync(join(root, file), 'utf8');
      if (text.includes('commandIds.')) visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
    }
    assert.ok(buttons.length > 10, `${buttons.length} buttons`);
    assert.deepEqual(wrong, []);
  });

  it('is on a button of an empty view or the walkthrough, in every language', () => {
    const titleOf = (id: string) => allCommands.find((one) => one.id === id)?.title;
    const wrong = [undefined, ...languages()].flatMap((language) =>
      Object.values(readManifestBundle(language))
        .flatMap((text) => [...text.matchAll(/^\[([^\]]+)\]\(command:(runhook\.\w+)\)$/gm)])
        .filter(([, label = '', id = '']) => titleOf(id)?.endsWith('…') !== label.endsWith('…'))
        .map(([, label]) => label),
    );
    assert.deepEqual(wrong, []);
  });
});

function commandOf(node: ts.Expression) {
  const isCommand = ts.isPropertyAccessExpression(node) && node.expression.getText() === 'commandIds';
  return isCommand ? commandIds[node.name.text as CommandName] : undefined;
}

/** The text of `t('…')`, also behind an icon. */
function labelOf(node: ts.Expression): string | undefined {
  const call = ts.isTemplateExpression(node) ? node.templateSpans.at(-1)!.expression : node;
  if (!ts.isCallExpression(call) || call.expression.getText() !== 't') return undefined;
  const [text] = call.arguments;
  return text !== undefined && ts.isStringLiteral(text) ? text.text : undefined;
}
