import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { commandIds } from '../../src/editor/ids.ts';
import { root } from '../checkout.ts';
import { readManifestBundle } from '../l10n/bundles.ts';
import { locationOf, sourceProgram } from '../l10n/messages.ts';
import { ArgumentShapes, type Field, ResultText } from './commandTypes.ts';
import { fieldMeanings } from './fieldMeanings.ts';

/** The documentation of a command. */
export interface CommandEntry {
  id: string;
  /** As shown in the palette and in menus. */
  title: string;
  /** The fields of its argument, required ones first. */
  fields: readonly Field[];
  /** Its result type as text; empty for void. */
  result: string;
}

/** The documentation of the commands of {@link published}, extracted from the sources. */
export function commandTable(): CommandEntry[] {
  const { sources, checker } = sourceProgram();
  const shapes = new ArgumentShapes(checker);
  const results = new ResultText(checker);
  const titles = new Map(published());
  const found = new Map<string, CommandEntry>();
  const visit = (node: ts.Node): void => {
    const id = ts.isCallExpression(node) ? idOf(node, checker) : undefined;
    const title = titles.get(id ?? '');
    if (id !== undefined && title !== undefined && ts.isCallExpression(node)) {
      const [schema, run] = node.arguments;
      if (schema === undefined || run === undefined)
        throw new Error(`${locationOf(node)}: no schema, no handler`);
      const shape = shapes.of(checker.getTypeAtLocation(schema));
      if (shape.kind !== 'object')
        throw new Error(`${locationOf(node)}: the schema of ${id} is none of an object`);
      found.set(id, {
        id,
        title,
        fields: withMeanings(id, shape.fields),
        result: results.of(checker.getTypeAtLocation(run)),
      });
    }
    ts.forEachChild(node, visit);
  };
  for (const source of sources) visit(source);
  return [...titles.keys()].map((id) => {
    const entry = found.get(id);
    if (entry === undefined) throw new Error(`No [commandIds…]: command(…) was found for ${id}.`);
    return entry;
  });
}

/** Fields that are listed before others. */
const leadingFields = ['id', 'projectId', 'serviceAccountId', 'appId', 'appName', 'name'];

/** Adds the meanings to the fields and sorts them. @throws Error if a field has no meaning */
function withMeanings(id: string, fields: readonly Field[]): Field[] {
  const command = id.replace('runhook.', '');
  const described = fields.map((field) => {
    const { name } = field;
    const meaning = [fieldMeanings[`${command}.${name}`], field.meaning, fieldMeanings[name]].find(Boolean);
    if (meaning !== undefined) return { ...field, meaning };
    throw new Error(`Say what ${name} of ${id} means: by a comment above it in its schema.`);
  });
  const place = ({ name, isOptional }: Field) =>
    (isOptional ? leadingFields.length + 1 : 0) +
    (leadingFields.includes(name) ? leadingFields.indexOf(name) : leadingFields.length);
  return described.sort((a, b) => place(a) - place(b));
}

/** The command id of a call in `[commandIds.runApp]: command(…)`. */
function idOf(call: ts.CallExpression, checker: ts.TypeChecker): string | undefined {
  const { parent, expression } = call;
  if (expression.getText() !== 'command' || !ts.isPropertyAssignment(parent)) return undefined;
  if (!ts.isComputedPropertyName(parent.name)) return undefined;
  const key = checker.getTypeAtLocation(parent.name.expression);
  return key.isStringLiteral() ? key.value : undefined;
}

/** Commands that are not in the palette, and that keybindings, tasks and other extensions call by the contract. */
const called: ReadonlySet<string> = new Set([
  commandIds.removeProject,
  commandIds.addServiceAccount,
  commandIds.deleteToken,
  commandIds.useServiceAccount,
  commandIds.addApp,
  commandIds.listKeys,
  commandIds.applyAppSettings,
  commandIds.setForwardTo,
  commandIds.listenerUrl,
  commandIds.webhookSecret,
  commandIds.listDeliveries,
  commandIds.openDelivery,
  commandIds.copyDeliveryAsCurl,
  commandIds.saveDeliveryAsFixture,
  commandIds.clearDeliveries,
]);

/** The commands that a person would bind to a key, or that the contract names, with their titles. */
function published(): [id: string, title: string][] {
  const words = readManifestBundle();
  const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    contributes: {
      commands: { command: string; title: string }[];
      menus: { commandPalette: { command: string; when: string }[] };
    };
  };
  const hidden = new Set(
    contributes.menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
  );
  return contributes.commands
    .filter(({ command }) => !hidden.has(command) || called.has(command))
    .map(({ command, title }) => [command, words[title.replaceAll('%', '')] ?? title]);
}
