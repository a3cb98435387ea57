import type * as vscode from 'vscode';
import type { Key } from '../../../model/keys/key.ts';
import type { App, Project, ServiceAccount } from '../../../model/projects/project.ts';
import type { CarriesArgument } from '../../commands.ts';
import type { AppChild } from './appChildren.ts';
import type { AccountRef } from '../../../model/projects/accountRef.ts';
import type { Lender } from '../tokens/lenders.ts';
import type { TokenState } from '../tokens/tokens.ts';

/** A key of a service account; without an id where the service gives none. */
interface KeyRef extends AccountRef {
  keyId?: string;
}

/** An element of the Projects view. Its `argument` is that of the commands in its menu. */
export type ProjectNode = CarriesArgument &
  (
    | {
        kind: 'project';
        project: Project;
        transientLabel: string | undefined;
        /** The host of its own addresses; empty where it has those of all. */
        host: string;
        /** Addresses that the workspace names for it: nothing goes there. */
        ignored: readonly string[];
        /** Where its tokens go to unencrypted. */
        inClear: readonly string[];
        /** Whether it has a webhook secret of its own. */
        hasSecret: boolean;
        /** Whether it is kept in the settings of the workspace. */
        shared: boolean;
        argument: { projectId: string };
      }
    | {
        kind: 'account';
        account: ServiceAccount;
        token: TokenState;
        active: boolean;
        transient: boolean;
        /** Whose token its keys are read with, or could be; absent where it has one itself. */
        lender: Lender | undefined;
        argument: AccountRef;
      }
    | { kind: 'apps'; project: Project; transient: boolean; argument: { projectId: string } }
    | {
        kind: 'app';
        app: App;
        note: string | undefined;
        transient: boolean;
        expandable: boolean;
        /** Whether it has a webhook secret of its own. */
        hasSecret: boolean;
        argument: { projectId: string; appId: string; appName: string };
      }
    | { kind: 'appChild'; child: AppChild; parent: ProjectNode; argument: { projectId: string } }
    | { kind: 'key'; key: Key; index: number; stale: boolean; argument: KeyRef }
    | { kind: 'more'; hidden: number; argument: AccountRef }
    | { kind: 'message'; message: Message; argument: AccountRef | { projectId: string } }
    | { kind: 'line'; item: vscode.TreeItem; argument: object }
  );

/** What a line that is no project, account, key or app has to say. */
export type Message =
  | { kind: 'loading' }
  | { kind: 'noKeys' }
  | { kind: 'tokenMissing'; lost: boolean }
  | { kind: 'tokenRefused'; status: number }
  /** Its keys could be read with the token of that account. */
  | { kind: 'lender'; name: string }
  /** Its keys are read with it. */
  | { kind: 'lent'; name: string }
  | { kind: 'lentRefused'; name: string; status: number }
  | { kind: 'notFound'; unknown: string; text: string }
  | { kind: 'failed'; text: string }
  | { kind: 'offline'; text: string }
  | { kind: 'lastKnown'; at: number }
  | { kind: 'unrecognised'; count: number | undefined }
  | { kind: 'noMatch' }
  /** `shown`: how many keys there are here. */
  | { kind: 'goesOn'; why: 'nextPage' | 'tooMany'; shown: number }
  | { kind: 'addressIgnored'; addresses: readonly string[] }
  | { kind: 'inClear'; origins: readonly string[] }
  | { kind: 'addAccount' }
  | { kind: 'addApp' };

export type NodeOf<Kind extends ProjectNode['kind']> = Extract<ProjectNode, { kind: Kind }>;
