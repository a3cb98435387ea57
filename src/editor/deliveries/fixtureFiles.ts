import * as vscode from 'vscode';
import type { Delivery } from '../../model/delivery.ts';
import { UserError } from '../../model/userError.ts';
import { type Fixture, fixtureOf, readFixture } from '../../webhooks/fixture.ts';
import { fixtureName } from '../../webhooks/fixtureName.ts';

/** Where fixtures are kept in a workspace folder. */
const folder = '.runhook/fixtures';

/** Writes a delivery into the workspace as a file that is not there yet. @throws UserError without a folder */
export async function saveFixture(delivery: Delivery): Promise<vscode.Uri> {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  if (workspace === undefined) {
    throw new UserError(vscode.l10n.t('Fixtures are files of the workspace. Open a folder first.'));
  }
  const text = `${JSON.stringify(fixtureOf(delivery), undefined, 2)}\n`;
  const uri = await freeName(vscode.Uri.joinPath(workspace.uri, folder), fixtureName(delivery));
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  return uri;
}

async function freeName(parent: vscode.Uri, name: string): Promise<vscode.Uri> {
  for (let number = 1; ; number += 1) {
    const uri = vscode.Uri.joinPath(parent, `${name}${number === 1 ? '' : `-${number}`}.json`);
    try {
      await vscode.workspace.fs.stat(uri);
    } catch {
      return uri; // Nothing there: the name is free.
    }
  }
}

/** The fixtures of the workspace. */
export async function listFixtures(): Promise<vscode.Uri[]> {
  const found = await vscode.workspace.findFiles(`**/${folder}/*.json`);
  return found.sort((a, b) => a.path.localeCompare(b.path));
}

/** @throws UserError where there is no such file, or it is no fixture */
export async function openFixture(uri: vscode.Uri): Promise<Fixture & { bytes: Buffer }> {
  let text: string;
  try {
    text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
  } catch (error) {
    throw new UserError(vscode.l10n.t('{0} cannot be read.', uri.fsPath), { cause: error });
  }
  try {
    return readFixture(text, vscode.l10n.t);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const reason = error.message;
    throw new UserError(vscode.l10n.t('{0} is not a fixture: {1}', uri.fsPath, reason), { cause: error });
  }
}
